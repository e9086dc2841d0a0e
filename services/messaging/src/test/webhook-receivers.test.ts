import { createOutboundHttp } from '@parley/service-kit/core/outbound-http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { withWebhookClock } from './webhook-clock.ts'
import { startReceiver } from './webhook-receiver.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let clock: ReturnType<typeof withWebhookClock>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  parley = await joinMessaging()
  clock = withWebhookClock(parley)
})
afterAll(() => Promise.all([parley.stop(), clock.close()]))
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

test('a receiver that is down for six hours loses nothing and is level soon after, without anybody’s action', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.status(503)
  await clock.happen(30, [webhook])
  await clock.run(webhook)
  clock.pass(2 * minuteMs)
  await clock.happen(30, [webhook])
  await clock.run(webhook)
  expect(await clock.read(webhook)).toMatchObject({ status: 'failed', failing: { responseStatus: 503, waiting: 60 } })
  const downFrom = receiver.received.length
  for (let passedMs = 0; passedMs < 6 * hourMs; passedMs += 5 * minuteMs) {
    clock.pass(5 * minuteMs)
    await clock.run(webhook)
  }
  const probes = receiver.received.slice(downFrom).map(({ event }) => event.id)
  expect(probes.length).toBe(72)
  // One event that it cannot take must not keep it closed.
  expect(new Set(probes).size).toBeGreaterThan(50)
  receiver.status(200)
  const upFrom = receiver.received.length
  clock.pass(5 * minuteMs)
  await clock.run(webhook)
  const rows = await clock.deliveriesOf(webhook)
  expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'delivered'))
  const after = receiver.received.slice(upFrom).map(({ event }) => event.id)
  expect(after.toSorted()).toEqual(rows.map(({ eventId }) => eventId).toSorted())
  expect(await clock.read(webhook)).toMatchObject({ status: 'active', failing: null })
})

test('a receiver that fails every other time gets everything, and is not taken for a failed one', async () => {
  const webhook = await clock.create(receiver.url)
  let calls = 0
  receiver.answerWith((response) => {
    calls += 1
    response.writeHead(calls % 2 === 0 ? 200 : 500).end()
  })
  await clock.happen(25, [webhook])
  for (const pauseMs of [0, 6 * secondMs, 6 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs]) {
    clock.pass(pauseMs)
    await clock.run(webhook)
  }
  expect(receiver.ids()).toHaveLength(25)
  expect((await clock.read(webhook)).status).toBe('active')
})

test('an event is attempted eight times over a day, each later than the one before, and is then given up', async () => {
  const other = await clock.create(receiver.url, ['webhook.error'])
  const webhook = await clock.create(receiver.url)
  receiver.status(500)
  await clock.happen(1, [webhook])
  const begun = clock.now()
  const pauses: number[] = []
  for (;;) {
    await clock.run(webhook)
    const [row] = await clock.deliveriesOf(webhook)
    if (row?.['state'] !== 'due') break
    const pauseMs = row['nextAttemptAt'].getTime() - clock.now()
    pauses.push(Math.round(pauseMs / secondMs))
    clock.pass(pauseMs)
  }
  expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  expect(clock.now() - begun).toBeGreaterThan(dayMs)
  const [row] = await clock.deliveriesOf(webhook)
  expect(row).toMatchObject({ state: 'exhausted', attempts: 8 })
  expect(receiver.ids()).toEqual([row?.['eventId']])
  await eventually(async () => expect(await clock.deliveriesOf(other)).toHaveLength(1))
  receiver.status(200)
  await clock.run(other)
  expect(receiver.received.at(-1)?.event).toMatchObject({
    type: 'webhook.error',
    data: { webhook: { id: webhook.id }, state: 'given_up', deliveries: 1 },
  })
})

test('410 disables at once; once enabled, what waits is sent', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.status(410)
  await clock.happen(2, [webhook])
  await clock.run(webhook)
  expect(await clock.read(webhook)).toMatchObject({ status: 'disabled', disabledFor: 'gone' })
  const calls = receiver.received.length
  await clock.run(webhook)
  expect(receiver.received.length).toBe(calls)
  receiver.status(200)
  expect((await parley.signIn().ask('POST', `/api/webhooks/${webhook.id}/enable`)).status).toBe('active')
  clock.pass(secondMs)
  await clock.run(webhook)
  expect((await clock.deliveriesOf(webhook)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
})

test('a redirect is a failure and is not followed; a receiver may ask for time, or not to be sent an event again', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.status(302, { location: `${receiver.url}/elsewhere` })
  await clock.happen(1, [webhook])
  await clock.run(webhook)
  expect(receiver.received).toHaveLength(1)
  receiver.status(429, { 'retry-after': '1200' })
  clock.pass(10 * secondMs)
  await clock.run(webhook)
  const [asked] = await clock.deliveriesOf(webhook)
  expect(asked?.['nextAttemptAt'].getTime() - clock.now()).toBe(1_200_000)
  receiver.status(400, { 'webhook-delivery': 'abort-message' })
  clock.pass(hourMs)
  await clock.run(webhook)
  expect((await clock.deliveriesOf(webhook))[0]).toMatchObject({ state: 'aborted', attempts: 3 })
})

test('a long or endless answer of 2xx is a success, and one that never begins is none', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.answerWith((response) => response.writeHead(200).end('x'.repeat(10_000_000)))
  await clock.happen(1, [webhook])
  await clock.run(webhook)
  receiver.answerWith((response) => {
    response.writeHead(204)
    response.flushHeaders()
  })
  await clock.happen(1, [webhook])
  await clock.run(webhook)
  receiver.answerWith(() => undefined)
  await clock.happen(1, [webhook])
  await clock.run(webhook)
  const rows = await clock.deliveriesOf(webhook)
  expect(rows.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'due'])
  expect(rows[0]?.['log'][0].answer).toHaveLength(2048)
  expect(rows[2]?.['log'][0]).toMatchObject({ error: 'timeout' })
})

test('events of one conversation arrive in their order while the receiver answers, whatever it takes for others', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.answerWith((response) => setTimeout(() => response.end(), Math.random() * 20))
  const [one, two] = ['a'.repeat(24), 'b'.repeat(24)]
  await clock.happen(20, [webhook], one)
  await clock.happen(20, [webhook], two)
  await clock.run(webhook)
  const rows = await clock.deliveriesOf(webhook)
  for (const conversationId of [one, two]) {
    const eventIds = new Set(
      rows.filter((row) => String(row['conversationId']) === conversationId).map(({ eventId }) => eventId),
    )
    const sequences = receiver.received.map(({ event }) => event).filter(({ id }) => eventIds.has(id))
    expect(sequences.map(({ sequence }) => sequence)).toEqual(
      sequences.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    )
    expect(eventIds.size).toBe(20)
  }
})

test('after five days of failing a webhook is disabled, and members were told before', async () => {
  const webhook = await clock.create(receiver.url)
  receiver.status(500)
  await clock.happen(12, [webhook])
  for (let step = 0; step < 27; step += 1) {
    await clock.run(webhook)
    clock.pass(step < 2 ? 6 * minuteMs : 6 * hourMs)
  }
  expect(await clock.read(webhook)).toMatchObject({ status: 'disabled', disabledFor: 'failing' })
  const { items } = await parley.signIn().ask('GET', '/api/notifications?limit=50')
  const titles = items
    .map(({ title }: { title: string }) => title)
    .filter((title: string) => title.startsWith(`${webhook.name} `))
  expect(titles.toSorted()).toEqual([
    `${webhook.name} is failing`,
    `${webhook.name} was disabled`,
    `${webhook.name} will be disabled tomorrow`,
  ])
})

test('a name that leads elsewhere once it is saved is not connected to', async () => {
  const { port } = new URL(receiver.url)
  const rebinding = withWebhookClock(parley, createOutboundHttp({ resolve: async () => ['127.0.0.1'], minPort: 1024 }))
  const { url } = { url: `https://rebinding.example:${port}` }
  const webhook = await parley.services.webhookRecords.create(
    parley.scope,
    {
      _id: 'c'.repeat(24),
      name: 'Rebinding',
      url,
      events: ['status.update'],
      status: 'active',
      secrets: [],
      totalCalls: 0,
      okCalls: 0,
      wakes: 0,
      revision: 1,
    },
    {},
  )
  await rebinding.happen(1, [webhook])
  await rebinding.run(webhook)
  expect(receiver.received).toEqual([])
  expect((await rebinding.deliveriesOf(webhook))[0]?.['log'][0]).toMatchObject({ error: 'address_refused' })
  await rebinding.close()
})
