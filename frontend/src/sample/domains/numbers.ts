import { type NumberCheck, numberSteps, numbersApi, type WhatsAppNumber } from '@parley/contracts/channel/numbers'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal, refuseStale } from '../answer.ts'
import { pageOf } from '../page-of.ts'

/** Stands in for the service that will own the numbers. */
export const answers = [
  answer(numbersApi.list, ({ query: { q = '', status, ...page } }, { numbers }) => {
    const wanted = q.toLowerCase()
    const found = [...numbers.values()].filter(
      (number) =>
        (!status || number.status === status) &&
        `${number.displayName} ${number.phoneNumber} ${number.phoneNumberId}`.toLowerCase().includes(wanted),
    )
    return { ...pageOf(found, page), canSimulate: true }
  }),
  answer(numbersApi.simulate, (_, { numbers }) => {
    const place = numbers.size + 1
    const at = new Date().toISOString()
    const number: WhatsAppNumber = {
      ...pendingNumber(at),
      displayName: `Demo Shop ${place}`,
      phoneNumber: `+1555000${1000 + place}`,
      phoneNumberId: `555000${1000 + place}`,
      businessAccountId: '555000999',
      accessToken: { set: true, last4: 'demo', updatedAt: at },
      status: 'active',
      verificationStatus: 'verified',
      quality: 'high',
      webhook: { verified: true, lastEventAt: null },
      isDefault: numbers.size === 0,
      checks: numberSteps.map((step) => ({ step, state: 'passed', message: 'This step has passed.', at })),
      simulated: true,
      phonePageUrl: `http://localhost:4600/?number=555000${1000 + place}`,
    }
    numbers.set(number.id, number)
    return number
  }),
  answer(numbersApi.check, ({ params: { id }, body: { steps = numberSteps, pin } }, { numbers }) => {
    const number = find(numbers, id)
    const at = new Date().toISOString()
    const checks = number.checks.map((check): NumberCheck => {
      if (check.state === 'passed' || !(steps.includes(check.step) || pin)) return check
      if (check.step === 'registration' && !pin) return { ...check, at }
      return { step: check.step, state: 'passed', message: 'This step has passed.', at }
    })
    const status = checks.every(({ state }) => state === 'passed') ? 'active' : 'pending'
    const changed = { ...number, checks, status, version: number.version + 1, updatedAt: at } as const
    numbers.set(id, changed)
    return changed
  }),
  answer(numbersApi.events, ({ params: { id } }, { numbers }) => {
    const number = find(numbers, id)
    return {
      items:
        number.quality === 'medium' || number.quality === 'low'
          ? [
              {
                id: `${id}-quality`,
                at: number.updatedAt,
                severity: 'warning' as const,
                title: 'The quality of the number is low',
                body: 'Customers block or report its messages. WhatsApp may lower its limit.',
              },
            ]
          : [],
    }
  }),
  answer(numbersApi.connect, ({ body: { accessToken, ...body } }, { numbers }) => {
    refuseDuplicate(body, numbers)
    const now = new Date().toISOString()
    const number: WhatsAppNumber = {
      ...pendingNumber(now),
      ...body,
      accessToken: { set: true, last4: accessToken.slice(-4), updatedAt: now },
      isDefault: numbers.size === 0,
    }
    numbers.set(number.id, number)
    return number
  }),
  answer(numbersApi.update, ({ params: { id }, body }, { numbers }) => {
    const number = find(numbers, id)
    refuseStale('number', number, body.version)
    const now = new Date().toISOString()
    if (body.isDefault)
      for (const other of numbers.values()) if (other.isDefault) numbers.set(other.id, { ...other, isDefault: false })
    const changed: WhatsAppNumber = {
      ...number,
      ...(body.displayName !== undefined && { displayName: body.displayName }),
      ...(body.isDefault && { isDefault: true }),
      ...(body.accessToken !== undefined && {
        accessToken: { set: true, last4: body.accessToken.slice(-4), updatedAt: now },
      }),
      version: number.version + 1,
      updatedAt: now,
    }
    numbers.set(id, changed)
    return changed
  }),
  answer(numbersApi.remove, ({ params: { id } }, { numbers }) => {
    const { isDefault } = find(numbers, id)
    numbers.delete(id)
    const next = [...numbers.values()].find(({ status }) => status === 'active') ?? numbers.values().next().value
    if (isDefault && next) numbers.set(next.id, { ...next, isDefault: true })
    return undefined
  }),
]

/** Values of every new number until WhatsApp has verified it. */
const pendingNumber = (at: string) => ({
  id: `number-${crypto.randomUUID()}`,
  createdAt: at,
  updatedAt: at,
  version: 1,
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
  checks: numberSteps.map((step): NumberCheck => ({ step, state: 'waiting', message: 'Not tried yet.', at })),
  lastError: null,
  history: null,
  unknownFields: [],
  simulated: false,
  phonePageUrl: null,
})

function find(numbers: SampleDataset['numbers'], id: string): WhatsAppNumber {
  const number = numbers.get(id)
  if (!number) throw refusal('not_found', 'This number is no longer connected.')
  return number
}

function refuseDuplicate(
  { phoneNumber, phoneNumberId }: Pick<WhatsAppNumber, 'phoneNumber' | 'phoneNumberId'>,
  numbers: SampleDataset['numbers'],
): void {
  for (const other of numbers.values()) {
    const message = `This is connected already, as ${other.displayName}.`
    if (other.phoneNumber === phoneNumber) throw refusal('number_exists', message, { phoneNumber: message })
    if (other.phoneNumberId === phoneNumberId) throw refusal('number_exists', message, { phoneNumberId: message })
  }
}
