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
