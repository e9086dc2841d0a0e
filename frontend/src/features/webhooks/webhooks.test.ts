import { webhookEvents } from '@parley/contracts/platform/public-events'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { expect, test } from 'vitest'
import { curlOf, newSecret, signatureOf, testDelivery } from './delivery.ts'
import { emptyWebhook, formOf, webhookFormSchema, webhookOf } from './webhook-form.ts'

const filled = { ...emptyWebhook, name: 'Orders', url: 'https://example.com/hook', events: [...webhookEvents] }
const problems = (form: unknown) => webhookFormSchema.safeParse(form).error?.issues.map(({ path }) => path.join('.'))

test('the signature is the HMAC-SHA256 of the body, as GitHub documents it for its own example', async () => {
  expect(await signatureOf('Hello, World!', "It's a Secret to Everybody")).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  )
})

test('a test delivery names its event and is JSON; the command sends exactly the same bytes', () => {
  const at = new Date('2026-03-08T22:15:00Z')
  for (const event of webhookEvents) {
    const delivery = testDelivery({ url: 'https://example.com:8443/a?b=1' }, event, { id: 'delivery-1', at })
    expect(delivery.headers).toMatchObject({ Host: 'example.com:8443', 'X-Parley-Event': event })
    expect(JSON.parse(delivery.body)).toMatchObject({ id: 'delivery-1', event, test: true })
    expect(curlOf('https://example.com', delivery)).toContain(delivery.body)
  }
})

test('a quote in the address cannot end the command', () => {
  expect(curlOf("https://example.com/'; rm -rf ~", { headers: {}, body: '{}' })).toContain(
    String.raw`'https://example.com/'\''; rm -rf ~'`,
  )
})

test('generated secrets are long enough and never the same', () => {
  expect(newSecret()).toMatch(/^[0-9a-f]{64}$/)
  expect(newSecret()).not.toBe(newSecret())
})

test.each([
  ['https://example.com/hook', undefined],
  ['http://localhost:9000/hook', undefined],
  ['http://127.0.0.1/hook', undefined],
  ['http://example.com/hook', ['url']],
  ['ftp://example.com', ['url']],
  ['nonsense', ['url']],
  ['', ['url']],
])('the address %j has the problems %j', (url, expected) => expect(problems({ ...filled, url })).toEqual(expected))

test('a name and one event are needed; a secret is optional but not short', () => {
  expect(problems({ ...filled, name: ' ', events: [] })).toEqual(['name', 'events'])
  expect(problems({ ...filled, secret: '' })).toBeUndefined()
  expect(problems({ ...filled, secret: 'too short' })).toEqual(['secret'])
})

test('a stored secret is kept unless it is replaced or removed', () => {
  const webhook = [...createSampleDataset({ now: new Date() }).webhooks.values()].find(({ secret }) => secret.set)
  if (!webhook) throw new Error('No webhook of the story has a secret.')
  const form = formOf(webhook)
  expect(webhookOf(form)).not.toHaveProperty('secret')
  expect(webhookOf({ ...form, secretChoice: 'remove' }).secret).toBe('')
  expect(webhookOf({ ...form, secretChoice: 'replace', secret: 'x'.repeat(16) }).secret).toBe('x'.repeat(16))
})
