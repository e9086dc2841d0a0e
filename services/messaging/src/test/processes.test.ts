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

test('webhooks are taken by the ingest process alone, and people by the server alone', async () => {
  const hook = `/hooks/whatsapp/${'0'.repeat(32)}`
  const post = async (url: string) => (await fetch(`${url}${hook}`, { method: 'POST', body: '{}' })).status
  expect([await post(parley.ingest.url), await post(parley.server.url)]).toEqual([401, 404])
  const answers = await Promise.all(
    [parley.server, parley.ingest, parley.worker].map(async ({ url }) => (await fetch(`${url}/readyz`)).status),
  )
  expect(answers).toEqual([200, 200, 200])
})
