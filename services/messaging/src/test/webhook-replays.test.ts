import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { withWebhookClock } from './webhook-clock.ts'
import { startReceiver } from './webhook-receiver.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let clock: ReturnType<typeof withWebhookClock>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  parley = await joinMessaging()
  clock = withWebhookClock(parley)
  receiver = await startReceiver()
})
afterAll(() => Promise.all([parley.stop(), clock.close(), receiver.stop()]))

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

test('one event is replayed under its own id, and a range of them behind what happens now', async () => {
  const earlier = await clock.create(receiver.url)
  await clock.happen(4, [earlier])
  const webhook = await clock.create(receiver.url)
  const owner = parley.signIn()
  await clock.happen(3, [webhook])
  await clock.run(webhook)
  const [first] = await clock.deliveriesOf(webhook)
  await owner.ask('POST', `/api/webhooks/${webhook.id}/deliveries/${first?._id}/replay`)
  clock.pass(secondMs)
  await clock.run(webhook)
  expect(receiver.received.map(({ event }) => event.id).filter((id) => id === first?.['eventId'])).toHaveLength(2)
  const since = new Date(Date.now() - hourMs).toISOString()
  const until = new Date(Date.now() + minuteMs).toISOString()
  const path = `/api/webhooks/${webhook.id}/replay`
  const none = await owner.ask('POST', path, { since, until, only: 'all', types: ['message.read'] })
  const { id } = await owner.ask('POST', path, { since, until, only: 'all' })
  const done = await eventually(async () => {
    const job = await owner.ask('GET', `/api/webhooks/${webhook.id}/replays/${id}`)
    expect(job.state).toBe('done')
    return job
  })
  // Events of before it was made are among them.
  expect(done.done).toBeGreaterThan(3)
  expect((await owner.call('POST', `/api/webhooks/${webhook.id}/replays/${none.id}/cancel`)).status).toBeLessThan(500)
  const before = receiver.received.length
  clock.pass(minuteMs)
  await clock.run(webhook)
  expect(new Set(receiver.received.slice(before).map(({ event }) => event.id)).size).toBe(done.done)
  const old = { since: new Date(Date.now() - 40 * dayMs).toISOString(), until, only: 'all' }
  expect((await owner.call('POST', path, old)).body.fields.since).toBeDefined()
  expect((await owner.call('POST', path, { since: until, until: since, only: 'all' })).body.fields.until).toBeDefined()
})

test('an erased person is in no delivery, replay, log or feed any more', async () => {
  const webhook = await clock.create(receiver.url, ['message.received'])
  const owner = parley.signIn()
  receiver.answerWith((response, { body }) => response.end(body))
  const conversation = await withChats(parley, owner).write('919812340699', 'Zelda Fitz', 'my name is Zelda')
  await eventually(async () => expect(await clock.deliveriesOf(webhook)).toHaveLength(1))
  await clock.run(webhook)
  expect(receiver.received.at(-1)?.body).toContain('Zelda')
  const [row] = await clock.deliveriesOf(webhook)
  expect(JSON.stringify(row)).toContain('Zelda')
  await owner.ask('POST', `/api/contacts/${conversation.contact.id}/erase`, { name: 'Zelda Fitz' })
  await eventually(async () => expect(JSON.stringify(await clock.deliveriesOf(webhook))).not.toContain('Zelda'))
  const path = `/api/webhooks/${webhook.id}/deliveries/${row?._id}`
  await owner.ask('POST', `${path}/replay`)
  clock.pass(secondMs)
  await clock.run(webhook)
  expect(receiver.received.at(-1)?.event).toMatchObject({ id: row?.['eventId'], data: { erased: true } })
  expect(JSON.stringify(await owner.ask('GET', path))).not.toContain('Zelda')
  const feed = await parley.signInKey(['events:read']).ask('GET', '/v1/events?types=message.received&limit=500')
  expect(JSON.stringify(feed)).not.toContain('Zelda')
  expect(feed.items.some(({ data }: { data: object }) => 'erased' in data)).toBe(true)
})
