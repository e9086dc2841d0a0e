import { type Credentials, credentialsApi } from '@parley/contracts/channel/credentials'
import { type NumberCheck, numberSteps } from '@parley/contracts/channel/numbers'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer } from '../answer.ts'

/** Saved secrets of a story: only their ends. */
const saved = new WeakMap<SampleDataset, { appSecret?: string; verifyToken?: string }>()

function credentialsOf(sampleDataset: SampleDataset): Credentials {
  const number = [...sampleDataset.numbers.values()].find(({ isDefault }) => isDefault)
  const { appSecret, verifyToken = 'pvt_sample_9c41e7d2b8a34f60' } = saved.get(sampleDataset) ?? {}
  const updatedAt = new Date().toISOString()
  const none = { set: false, last4: '', updatedAt: null }
  return {
    connected: number?.status === 'active',
    numberId: number?.id ?? null,
    phoneNumberId: number?.phoneNumberId ?? '',
    businessAccountId: number?.businessAccountId ?? '',
    accessToken: number?.accessToken ?? none,
    appSecret: appSecret ? { set: true, last4: appSecret.slice(-4), updatedAt } : none,
    previousAppSecret: none,
    webhook: {
      url: 'https://app.parley.example/hooks/whatsapp/5f21c0ffee5f21c0ffee5f21c0ffee00',
      verifyToken: { set: true, last4: verifyToken.slice(-4), updatedAt },
    },
  }
}

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(credentialsApi.read, (_, sampleDataset) => credentialsOf(sampleDataset)),
  answer(credentialsApi.update, ({ body: { accessToken, appSecret } }, sampleDataset) => {
    if (appSecret) saved.set(sampleDataset, { ...saved.get(sampleDataset), appSecret })
    for (const number of sampleDataset.numbers.values())
      if (number.isDefault && accessToken)
        sampleDataset.numbers.set(number.id, {
          ...number,
          accessToken: { ...number.accessToken, last4: accessToken.slice(-4) },
        })
    return credentialsOf(sampleDataset)
  }),
  answer(credentialsApi.test, ({ body: { accessToken } }): { checks: NumberCheck[] } => {
    const at = new Date().toISOString()
    if (accessToken === undefined)
      return { checks: numberSteps.map((step) => ({ step, state: 'passed', message: 'This step has passed.', at })) }
    const message = 'Invalid OAuth access token - Cannot parse access token'
    return { checks: [{ step: 'token', state: 'failed', message, advice: 'Enter another token.', at }] }
  }),
  answer(credentialsApi.regenerateVerifyToken, (_, sampleDataset) => {
    const verifyToken = `sample-${crypto.randomUUID()}`
    saved.set(sampleDataset, { ...saved.get(sampleDataset), verifyToken })
    return { verifyToken }
  }),
  answer(credentialsApi.removePreviousAppSecret, () => undefined),
]
