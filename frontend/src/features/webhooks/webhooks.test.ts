import { webhookEvents } from '@parley/contracts/platform/public-events'
import { readSigningKey, showSigningKey } from '@parley/contracts/platform/signing-keys'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { expect, test } from 'vitest'
import { emptyWebhook, formOf, webhookFormSchema } from './webhook-form.ts'
import { answerLabel, deliveryLabel, failingLine } from './webhook-labels.ts'

const filled = { ...emptyWebhook, name: 'Orders', url: 'https://example.com/hook', events: [...webhookEvents] }
const problems = (form: unknown) => webhookFormSchema.safeParse(form).error?.issues.map(({ path }) => path.join('.'))
const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')

test.each([
  ['https://example.com/hook', undefined],
  ['http://localhost:9000/hook', undefined],
  ['http://example.com/hook', ['url']],
  ['ftp://example.com', ['url']],
  ['nonsense', ['url']],
  ['', ['url']],
])('the address %j has the problems %j', (url, expected) => expect(problems({ ...filled, url })).toEqual(expected))

test('a name and one event are needed, and events are in their own order', () => {
  expect(problems({ ...filled, name: ' ', events: [] })).toEqual(['name', 'events'])
  const { events } = webhookFormSchema.parse({ ...filled, events: ['message.read', 'message.sent', 'message.read'] })
  expect(events).toEqual(['message.sent', 'message.read'])
})

test.each([
  ['nothing', '', undefined],
  ['a text of 23 bytes', 'x'.repeat(23), ['secret']],
  ['a text of 24 bytes', 'x'.repeat(24), undefined],
  ['a text of 64 bytes', 'x'.repeat(64), undefined],
  ['a text of 65 bytes', 'x'.repeat(65), ['secret']],
  ['22 letters of three bytes', '\u0915'.repeat(22), ['secret']],
  ['21 letters of three bytes', '\u0915'.repeat(21), undefined],
  ['23 bytes in base64', `whsec_${base64(23)}`, ['secret']],
  ['24 bytes in base64', `whsec_${base64(24)}`, undefined],
  ['64 bytes in base64', `whsec_${base64(64)}`, undefined],
  ['65 bytes in base64', `whsec_${base64(65)}`, ['secret']],
  ['base64 with a dash', `whsec_${base64(24).replace('B', '-')}`, ['secret']],
  ['base64 with a space', `whsec_ ${base64(24)}`, ['secret']],
])('a secret of %s has the problems %j', (_name, secret, expected) => {
  expect(problems({ ...filled, secret })).toEqual(secret.includes('-') || expected ? ['secret'] : undefined)
})

test('a key is read back from the form in which it is shown', () => {
  const key = readSigningKey('a text that is long enough, \u00fc')
  if (typeof key === 'string') throw new Error(key)
  expect(readSigningKey(showSigningKey(key))).toEqual(key)
})

test('the line of a failed webhook says since when, when it is tried, and how many events wait', () => {
  const now = new Date('2026-03-09T14:10:00Z')
  const failing = {
    since: '2026-03-09T14:02:00.000Z',
    responseStatus: 503,
    nextAttemptAt: '2026-03-09T14:12:30.000Z',
    waiting: 214,
  }
  expect(failingLine({ failing }, now, 'UTC')).toBe('Failing since 14:02, next probe in 3 min, 214 waiting')
  expect(failingLine({ failing: { ...failing, since: '2026-03-05T14:02:00.000Z' } }, now, 'UTC')).toMatch(
    /^Failing since .*5.*, 14:02/,
  )
  expect(failingLine({ failing: null }, now, 'UTC')).toBeUndefined()
})

test('deliveries say whether they wait, are tried again or have failed', () => {
  expect(deliveryLabel({ state: 'due', attempts: 0 }).word).toBe('Waiting')
  expect(deliveryLabel({ state: 'due', attempts: 2 }).word).toBe('Retrying')
  expect(deliveryLabel({ state: 'exhausted', attempts: 8 }).word).toBe('Failed')
  expect(answerLabel({ at: '', ms: 3, status: 503 })).toBe('503')
  expect(answerLabel({ at: '', ms: 3, status: 401, error: 'clock_off' })).toBe('401, its clock is wrong')
  expect(answerLabel({ at: '', ms: 3, error: 'certificate_expired' })).toBe('Its certificate has expired')
  expect(answerLabel({ at: '', ms: 3, error: 'timeout' })).toBe('No answer in 15 seconds')
})

test('the form of a webhook that exists has no secret', () => {
  const [webhook] = createSampleDataset({ now: new Date() }).webhooks.values()
  expect(webhook && formOf(webhook).secret).toBe('')
})
