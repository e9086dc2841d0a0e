import { type Credentials, credentialsApi } from '@parley/contracts/channel/credentials'
import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { type NumberCheck, numberSteps, type WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, now, remove, type Workspace } from './workspace.ts'

const secretOf = (secret: string) => ({ set: true, last4: secret.slice(-4), updatedAt: now() })
const passed = (step: NumberCheck['step']): NumberCheck => ({
  step,
  state: 'passed',
  message: 'This step has passed.',
  at: now(),
})

/** Returns a number that WhatsApp has not verified yet. */
const pendingNumber = (isDefault: boolean) => ({
  ...newRecord('number'),
  status: 'pending' as const,
  verificationStatus: 'pending' as const,
  quality: 'unknown' as const,
  messagesThisMonth: 0,
  messagingLimit: 250,
  throughputPerSecond: 80,
  accessTokenExpiresAt: null,
  webhook: { verified: false, lastEventAt: null },
  nameStatus: 'unknown' as const,
  stopped: null,
  checks: numberSteps.map((step): NumberCheck => ({ step, state: 'waiting', message: 'Not tried yet.', at: now() })),
  lastError: null,
  history: null,
  unknownFields: [],
  simulated: false,
  phonePageUrl: null,
  isDefault,
})

/** Numbers, and the credentials of the one that is the default. */
export function numberHandlers({ numbers }: Workspace) {
  const all = () => [...numbers.values()]
  const none = { set: false, last4: '', updatedAt: null }
  const url = 'https://app.parley.example/hooks/whatsapp/5f21c0ffee5f21c0ffee5f21c0ffee00'
  const secrets = { appSecret: none as Credentials['appSecret'], verifyToken: 'pvt_sample_9c41e7d2b8a34f60' }
  const credentials = (): Credentials => {
    const number = all().find(({ isDefault }) => isDefault)
    return {
      connected: number?.status === 'active',
      numberId: number?.id ?? null,
      phoneNumberId: number?.phoneNumberId ?? '',
      businessAccountId: number?.businessAccountId ?? '',
      accessToken: number?.accessToken ?? none,
      appSecret: secrets.appSecret,
      previousAppSecret: none,
      webhook: { url, verifyToken: secretOf(secrets.verifyToken) },
    }
  }
  return [
    answer(numbersApi.list, ({ query }) => ({ ...pageOf(all(), query), canSimulate: true })),
    answer(numbersApi.events, () => ({ items: [] })),
    answer(numbersApi.connect, ({ body: { accessToken, ...body } }) => {
      const owner = all().find(({ phoneNumber }) => phoneNumber === body.phoneNumber)
      const message = `This is connected already, as ${owner?.displayName}.`
      if (owner) throw refusal('number_exists', message, { phoneNumber: message })
      return insert<WhatsAppNumber>(numbers, {
        ...pendingNumber(numbers.size === 0),
        ...body,
        accessToken: secretOf(accessToken),
      })
    }),
    answer(numbersApi.simulate, () =>
      insert<WhatsAppNumber>(numbers, {
        ...pendingNumber(numbers.size === 0),
        displayName: 'Demo Shop',
        phoneNumber: '+15550001001',
        phoneNumberId: '5550001001',
        businessAccountId: '555000999',
        accessToken: secretOf('demo'),
        status: 'active',
        verificationStatus: 'verified',
        checks: numberSteps.map(passed),
        simulated: true,
        phonePageUrl: 'http://localhost:4600/?number=5550001001',
      }),
    ),
    answer(numbersApi.check, ({ params: { id }, body: { steps = numberSteps, pin } }) => {
      const checks = find(numbers, id).checks.map((check) =>
        check.step === 'registration'
          ? pin
            ? passed(check.step)
            : check
          : steps.includes(check.step)
            ? passed(check.step)
            : check,
      )
      return change(numbers, id, {
        checks,
        status: checks.every(({ state }) => state === 'passed') ? 'active' : 'pending',
      })
    }),
    answer(numbersApi.update, ({ params: { id }, body: { version, displayName, isDefault, accessToken } }) => {
      const after = change(
        numbers,
        id,
        { displayName, isDefault, accessToken: accessToken ? secretOf(accessToken) : undefined },
        version,
      )
      if (isDefault)
        for (const other of all())
          if (other.isDefault && other.id !== id) change(numbers, other.id, { isDefault: false })
      return after
    }),
    answer(numbersApi.remove, ({ params: { id } }) => {
      const { isDefault } = find(numbers, id)
      remove(numbers, id)
      const next = all().find(({ status }) => status === 'active')
      if (isDefault && next) change(numbers, next.id, { isDefault: true })
      return undefined
    }),

    answer(credentialsApi.read, credentials),
    answer(credentialsApi.update, ({ body: { accessToken, appSecret } }) => {
      const { numberId } = credentials()
      if (appSecret) secrets.appSecret = secretOf(appSecret)
      if (accessToken && numberId) change(numbers, numberId, { accessToken: secretOf(accessToken) })
      return credentials()
    }),
    answer(credentialsApi.test, ({ body: { accessToken } }): { checks: NumberCheck[] } => {
      if (accessToken === undefined) return { checks: numberSteps.map(passed) }
      const message = 'Invalid OAuth access token - Cannot parse access token'
      return { checks: [{ step: 'token', state: 'failed', message, advice: 'Enter another token.', at: now() }] }
    }),
    answer(credentialsApi.regenerateVerifyToken, () => {
      secrets.verifyToken = `sample-${crypto.randomUUID()}`
      return { verifyToken: secrets.verifyToken }
    }),
  ]
}
