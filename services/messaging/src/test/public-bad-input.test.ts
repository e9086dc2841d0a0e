import { Types } from 'mongoose'
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
afterAll(() => Promise.all([clock.close(), receiver.stop(), parley.stop()]))

const shop = () => parley.signInKey(['conversations:write', 'webhooks:write', 'events:read', 'contacts:read'])

test('a cursor whose events are no longer kept is 410, with the oldest one, from which nothing is missed', async () => {
  const { write } = withChats(parley, parley.signIn())
  await write('919812340701', 'Asha', 'one')
  const key = shop()
  const first = await eventually(async () => {
    const page = await key.ask('GET', '/v1/events?limit=1')
    expect(page.items).toHaveLength(1)
    return page
  })
  const conversation = await write('919812340701', 'Asha', 'two')
  expect(conversation.id).toBeDefined()
  await eventually(async () => expect((await key.ask('GET', '/v1/events')).items.length).toBeGreaterThan(2))
  const events = parley.database.connection.collection('events')
  const workspaceId = new Types.ObjectId(parley.scope.workspaceId)
  const [newest] = await events
    .find({ workspaceId, seq: { $exists: true } })
    .sort({ seq: -1 })
    .limit(1)
    .toArray()
  await events.deleteMany({ workspaceId, seq: { $lt: newest?.['seq'] } })
  const { status, body } = await key.call('GET', `/v1/events?after=${first.nextCursor}`)
  expect([status, body.code]).toEqual([410, 'cursor_expired'])
  const rest = await key.ask('GET', `/v1/events?after=${body.current.oldest}`)
  expect(rest.nextCursor).toBe((await key.ask('GET', '/v1/events?after=latest')).nextCursor)
  expect((await key.call('GET', `/v1/events?after=${rest.nextCursor}`)).status).toBe(200)
})

test('a body of a megabyte is refused as too large', async () => {
  const body = { to: '+919812345678', text: 'x'.repeat(1_000_000) }
  const { status, body: refusal } = await shop().call('POST', '/v1/messages', body)
  expect([status, refusal.code]).toEqual([413, 'body_too_large'])
})

test.each([
  ['POST', '/v1/messages', { to: '+919812345678', txt: 'x', text: 'x' }, 'txt'],
  ['POST', '/v1/messages', { to: '+919812345678', template: { id: 'a'.repeat(24), valeus: {} } }, 'template.valeus'],
  ['GET', '/v1/events?afer=latest', undefined, 'afer'],
  ['GET', '/api/contacts?limt=5', undefined, 'limt'],
] as const)('%s %s: a name that is not known is named', async (method, path, body, field) => {
  const { status, body: refusal } = await shop().call(method, path, body)
  expect([status, refusal.code, refusal.fields]).toEqual([
    400,
    'validation_failed',
    { [field]: 'There is no such field.' },
  ])
})

test.each([
  ['https://10.1.2.3/hook', 'webhook_target_refused'],
  ['https://169.254.169.254/latest/meta-data', 'webhook_target_refused'],
  ['https://user:secret@hooks.example/', 'webhook_target_refused'],
  ['https://example.com:25/hook', 'webhook_target_refused'],
  ['http://example.com/hook', 'validation_failed'],
  ['nonsense', 'validation_failed'],
])('a webhook at %s is refused: %s', async (url, code) => {
  const { status, body } = await shop().call('POST', '/api/webhooks', { name: 'Bad', url, events: ['message.read'] })
  expect([status, body.code, Object.keys(body.fields)]).toEqual([400, code, ['url']])
})

test('a receiver whose clock is off refuses signatures: its log says so, and its own time counts for when to come back', async () => {
  const webhook = await clock.create(receiver.url)
  const ahead = () => new Date(clock.now() + 600_000)
  receiver.answerWith((response) => {
    const after = new Date(ahead().getTime() + 900_000)
    response.writeHead(401, { date: ahead().toUTCString(), 'retry-after': after.toUTCString() }).end('too old')
  })
  await clock.happen(1, [webhook])
  await clock.run(webhook)
  const [row] = await clock.deliveriesOf(webhook)
  expect(row?.['log'][0]).toMatchObject({ status: 401, error: 'clock_off', answer: 'too old' })
  expect(row?.['nextAttemptAt'].getTime() - clock.now()).toBe(900_000)
  receiver.status(401)
  clock.pass(1_000_000)
  await clock.run(webhook)
  receiver.answerWith((response) => response.writeHead(401, { date: new Date(clock.now()).toUTCString() }).end())
  clock.pass(1_000_000)
  await clock.run(webhook)
  expect((await clock.deliveriesOf(webhook))[0]?.['log'].at(-1).error).toBeUndefined()
})
