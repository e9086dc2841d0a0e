import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let redis: Redis
beforeAll(async () => {
  parley = await startMessaging()
  redis = new Redis(parley.redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await parley.stop()
})

test('what happens is numbered without a gap and published to the stream of the workspace', async () => {
  const { scope, simulator } = parley
  const key = `events:{${scope.workspaceId}}`
  await simulator.call('/inbound', { from: '919812345679', type: 'text', text: { body: 'Hi' } })
  const entries = async () => redis.xrange(key, '-', '+')
  const types = async () => (await entries()).map(([, [, event = '{}']]) => JSON.parse(event).type)
  await expect.poll(types).toContain('message.changed')
  const numbers = (await entries()).map(([id]) => id)
  expect(numbers).toEqual(numbers.map((_, index) => `${index + 1}-0`))
})

test('what is stored and sent is counted', async () => {
  const { simulator, ingest, worker, signIn } = parley
  const ann = signIn()
  const figure = async (url: string, series: string) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const [, value] = new RegExp(`^${series},process="[^"]+"} (\\d+)$`, 'm').exec(text) ?? []
    return Number(value)
  }
  const stored = () => figure(ingest.url, 'webhook_events_stored_total{kind="message"')
  const accepted = () => figure(worker.url, 'sends_total{result="accepted"')
  const before = { stored: await stored(), accepted: await accepted() }
  await simulator.call('/inbound', { from: '919812345670', type: 'text', text: { body: 'Hi' } })
  await expect.poll(stored).toBe(before.stored + 1)
  const conversations = async () => (await ann.call('GET', '/api/conversations')).body.items
  await expect.poll(async () => (await conversations())[0]?.contact.phone).toBe('+919812345670')
  const [{ id }] = await conversations()
  const content = { type: 'text', text: 'Hello!' }
  expect((await ann.call('POST', `/api/conversations/${id}/messages`, { content })).status).toBe(201)
  await expect.poll(accepted).toBe(before.accepted + 1)
})

test('what uploads that broke off have left is removed after an hour', async () => {
  const media = parley.database.connection.collection('media')
  const { workspaceId } = parley.scope
  const left = (minutes: number) => ({
    workspaceId,
    state: 'unfinished',
    createdAt: new Date(Date.now() - minutes * 60_000),
  })
  await media.insertMany([left(61), left(30)])
  await expect.poll(() => media.countDocuments({ workspaceId })).toBe(1)
})

test('webhooks are taken by the ingest process alone, and people by the server alone', async () => {
  const hook = `/hooks/whatsapp/${'0'.repeat(32)}`
  const post = async (url: string) => (await fetch(`${url}${hook}`, { method: 'POST', body: '{}' })).status
  expect([await post(parley.ingest.url), await post(parley.server.url)]).toEqual([401, 404])
  const answers = await Promise.all(
    [parley.server, parley.ingest, parley.worker].map(async ({ url }) => (await fetch(`${url}/readyz`)).status),
  )
  expect(answers).toEqual([200, 200, 200])
})
