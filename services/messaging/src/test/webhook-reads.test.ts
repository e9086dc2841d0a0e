import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('the log of a webhook is read by state and type without reading what is not asked for', async () => {
  const { connection } = parley.database
  const body = { name: 'Log', url: 'https://hooks.example.com/log', events: ['message.read'] }
  const webhook = await parley.signIn().ask('POST', '/api/webhooks', body)
  const fields = {
    workspaceId: new Types.ObjectId(parley.scope.workspaceId),
    webhookId: new Types.ObjectId(webhook.id),
    type: 'message.read',
    state: 'delivered',
    rank: 0,
    tries: 1,
    attempts: 1,
    log: [],
    expiresAt: new Date(Date.now() + 86_400_000),
  }
  const rows = Array.from({ length: 2003 }, (_, index) => ({
    ...fields,
    at: new Date(Date.now() - index * 1000),
    eventId: `evt_${webhook.id}.${index}`,
    ...(index > 2000 && { state: 'exhausted', type: 'message.failed' }),
  }))
  await connection.collection('webhookDeliveries').insertMany(rows)
  for (const filter of [
    'state=exhausted',
    'state=exhausted,due',
    'type=message.failed',
    'type=message.failed&state=exhausted',
  ]) {
    let items: { at: string }[] = []
    const plans = await queryPlans(connection, async () => {
      items = (await parley.signIn().ask('GET', `/api/webhooks/${webhook.id}/deliveries?${filter}`)).items
    })
    expect(items.map(({ at }) => Date.parse(at))).toEqual([rows[2001], rows[2002]].map((row) => row?.at.getTime()))
    for (const { collection, documents, sortsInMemory } of plans)
      if (collection === 'webhookDeliveries')
        expect([filter, documents <= 30, sortsInMemory]).toEqual([filter, true, false])
  }
})

test('a rare type is looked for in a long log with few queries, and the cursor moves on where none is found', async () => {
  const { connection } = parley.database
  const workspaceId = new Types.ObjectId()
  const event = { type: 'message.changed', at: new Date(), recordedAt: new Date(), data: { direction: 'inbound' } }
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...event, workspaceId, seq: from + index }))
  await connection.collection('events').insertMany(numbered(1, 5000))
  await connection.collection('eventHeads').insertOne({ _id: workspaceId, seq: 5000, due: [] })
  const key = parley.signInKey(['events:read'], String(workspaceId))
  const pages: { items: unknown[]; nextCursor: string; hasMore: boolean }[] = []
  const readOf =
    (type: string, after = '') =>
    async () => {
      pages.push(await key.ask('GET', `/v1/events?types=${type}&limit=1${after}`))
    }
  for (const type of ['account.update', 'message.sent']) {
    const sent = await queryPlans(connection, readOf(type))
    expect(sent.filter(({ collection }) => /^event/.test(collection)).length).toBeLessThanOrEqual(60)
  }
  expect(pages).toMatchObject([{ items: [], hasMore: false }, { items: [] }])
  // One call looks at a part of a log that is longer still; the next one goes on from there.
  await connection.collection('eventHeads').updateOne({ _id: workspaceId }, { $set: { seq: 50_000 } })
  await connection.collection('events').insertOne({ ...event, type: 'webhook.changed', workspaceId, seq: 49_000 })
  await readOf('account.update', `&after=${pages[0]?.nextCursor}`)()
  expect(pages.at(-1)).toMatchObject({ items: [], hasMore: true })
  await readOf('account.update', `&after=${pages.at(-1)?.nextCursor}`)()
  await readOf('account.update', `&after=${pages.at(-1)?.nextCursor}`)()
  expect(pages.at(-1)).toMatchObject({ items: [], hasMore: false })
})
