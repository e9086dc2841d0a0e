import type { Permission } from '@parley/contracts/account/permissions'
import { publicEventSchemas, webhookEvents } from '@parley/contracts/platform/public-events'
import { maxWebhooks } from '@parley/contracts/platform/webhooks'
import { Types } from 'mongoose'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { type Received, startReceiver } from './webhook-receiver.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let sender: Awaited<ReturnType<typeof parley.startWebhooks>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  parley = await joinMessaging()
  sender = await parley.startWebhooks()
  receiver = await startReceiver()
})
afterAll(() => Promise.all([sender.stop(), receiver.stop(), parley.stop()]))

const stranger = 'e'.repeat(24)
let made = 0
async function create(input: object = {}) {
  made += 1
  const body = { name: `Receiver ${made}`, url: `${receiver.url}/${made}`, events: [...webhookEvents], ...input }
  return parley.signIn().ask('POST', '/api/webhooks', body)
}
const arrived = (wanted: (call: Received) => boolean): Promise<Received> =>
  eventually(() => {
    const call = receiver.received.find(wanted)
    if (!call) throw new Error('it has not arrived yet')
    return call
  })
/** Puts calls into the state in which a server leaves them that dies between commit and answer. */
const forgetAnswers = () =>
  parley.database.connection
    .collection('idempotencyKeys')
    .updateMany({ answer: { $exists: true } }, { $unset: { answer: '' }, $set: { leaseEndsAt: new Date(0) } })
const path = ({ id }: { id: string }) => `/api/webhooks/${id}`
const logOf = async (webhook: { id: string }) =>
  (await parley.signIn().ask('GET', `${path(webhook)}/deliveries?limit=100`)).items

test('a customer writes: the event arrives signed, is in the log, and is in the feed', async () => {
  const webhook = await create({ events: ['message.received'] })
  expect(webhook.signingKey).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const { write } = withChats(parley, parley.signIn())
  const conversation = await write('919812340611', 'Nila', 'Is it open?')
  const got = await arrived(({ event }) => JSON.stringify(event).includes('Is it open?'))
  const verified = new Webhook(webhook.signingKey).verify(got.body, got.headers)
  expect(publicEventSchemas['message.received'].parse(verified)).toMatchObject({
    type: 'message.received',
    workspaceId: parley.scope.workspaceId,
    data: {
      message: { conversationId: conversation.id, content: { type: 'text', text: 'Is it open?' } },
      contact: { name: 'Nila', phone: '+919812340611' },
      conversation: { id: conversation.id, status: 'open' },
      number: { id: parley.number.id, name: 'Test Shop' },
    },
  })
  expect(got.headers['webhook-id']).toBe(got.event.id)
  const [delivery] = await eventually(async () => {
    const log = await logOf(webhook)
    expect(log).toMatchObject([{ state: 'delivered', eventId: got.event.id, attempts: 1, last: { status: 200 } }])
    return log
  })
  const detail = await parley.signIn().ask('GET', `${path(webhook)}/deliveries/${delivery.id}`)
  expect(detail).toMatchObject({ differs: false, body: got.body, log: [{ status: 200, answer: 'ok' }] })
  await eventually(async () =>
    expect(await parley.signIn().ask('GET', path(webhook))).toMatchObject({ totalCalls: 1, successRate: 100 }),
  )
  const feed = await parley.signInKey(['events:read']).ask('GET', '/v1/events?types=message.received&limit=500')
  expect(feed.items).toContainEqual(JSON.parse(got.body))
})

test('steps of a message are told once each, with those that WhatsApp left out', async () => {
  const webhook = await create({ events: ['message.sent', 'message.delivered', 'message.read', 'message.failed'] })
  const { write } = withChats(parley, parley.signIn())
  const conversation = await write('919812340612', 'Omar', 'hello')
  const { message } = await parley.signIn().ask('POST', `/api/conversations/${conversation.id}/messages`, {
    content: { type: 'text', text: 'We are open.' },
  })
  await eventually(async () => {
    const deliveries = receiver.received.filter(({ event }) => JSON.stringify(event.data).includes(message.id))
    expect(deliveries.map(({ event }) => event.type).slice(0, 2)).toEqual(['message.sent', 'message.delivered'])
    for (const { event } of deliveries) publicEventSchemas[event.type].parse(event)
  })
  const types = (await logOf(webhook)).map(({ type }: { type: string }) => type)
  expect(new Set(types).size).toBe(types.length)
})

test('a test really sends, and its delivery is marked', async () => {
  const webhook = await create()
  for (const type of webhookEvents) {
    const sent = await parley.signIn().ask('POST', `${path(webhook)}/test`, { type })
    const call = await arrived(({ event }) => event.id === sent.eventId)
    expect(publicEventSchemas[type].parse(call.event)).toMatchObject({ test: true, type })
    new Webhook(webhook.signingKey).verify(call.body, call.headers)
  }
})

test('secrets are read by their bytes, and a typed key is shown as receivers read it', async () => {
  const typed = await create({ secret: 'a text of more than 24 bytes' })
  expect(typed.signingKey).toBe(`whsec_${Buffer.from('a text of more than 24 bytes').toString('base64')}`)
  const base64 = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  expect((await create({ secret: base64 })).signingKey).toBe(base64)
  for (const secret of [
    'x'.repeat(23),
    'x'.repeat(65),
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    'whsec_not base64 at all!!',
    '\ud800'.repeat(12),
  ]) {
    const body = { name: 'Bad', url: 'https://x.example/', events: ['message.read'], secret }
    const answer = await parley.signIn().call('POST', '/api/webhooks', body)
    expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([
      400,
      'validation_failed',
      ['secret'],
    ])
  }
})

test('a rotation signs by both keys, and ends the earlier one at once where that is wanted', async () => {
  const webhook = await create()
  const rotated = await parley.signIn().ask('POST', `${path(webhook)}/secret`, { overlapHours: 24 })
  expect(rotated.secret.previousUntil).not.toBeNull()
  const test = async () => {
    const { eventId } = await parley.signIn().ask('POST', `${path(webhook)}/test`, { type: 'message.read' })
    return arrived(({ event }) => event.id === eventId)
  }
  const during = await test()
  for (const key of [webhook.signingKey, rotated.signingKey]) new Webhook(key).verify(during.body, during.headers)
  const ended = await parley.signIn().ask('POST', `${path(webhook)}/secret`, { overlapHours: 0 })
  const after = await test()
  new Webhook(ended.signingKey).verify(after.body, after.headers)
  expect(() => new Webhook(rotated.signingKey).verify(after.body, after.headers)).toThrow()
  expect((await parley.signIn().ask('GET', path(webhook))).signingKey).toBeUndefined()
})

test('a key with the scope rotates a secret; a repetition has the same one, which is nowhere readable', async () => {
  const webhook = await create()
  const once = { 'idempotency-key': `rotation-${webhook.id}` }
  const rotate = (scopes: readonly Permission[], headers = {}) =>
    parley.signInKey(scopes).call('POST', `${path(webhook)}/secret`, { overlapHours: 1 }, headers)
  expect((await rotate(['webhooks:write'])).status).toBe(403)
  const [first, again] = [await rotate(['webhooks:secret'], once), await rotate(['webhooks:secret'], once)]
  expect([first.status, again.body.signingKey]).toEqual([200, first.body.signingKey])
  await forgetAnswers()
  const afterCrash = await rotate(['webhooks:secret'], once)
  expect([afterCrash.headers.get('idempotent-replayed'), afterCrash.body]).toEqual([null, first.body])
  for (const name of ['idempotencyKeys', 'webhooks']) {
    const stored = await parley.database.connection.collection(name).find().toArray()
    expect(stored.length).toBeGreaterThan(0)
    expect(JSON.stringify(stored)).not.toContain(first.body.signingKey)
  }
})

test('webhooks are changed as they were seen, one for an address, and not too many', async () => {
  const owner = parley.signIn()
  const webhook = await create()
  const renamed = await owner.ask('PATCH', path(webhook), { name: 'Orders', version: 1 })
  expect(renamed).toMatchObject({ name: 'Orders', url: webhook.url, version: 2 })
  const stale = await owner.call('PATCH', path(webhook), { name: 'Older', version: 1 })
  expect([stale.status, stale.body.code, stale.body.current.name]).toEqual([409, 'stale_version', 'Orders'])
  const taken = await owner.call('POST', '/api/webhooks', { name: 'Twice', url: webhook.url, events: ['message.read'] })
  expect([taken.body.code, taken.body.fields.url]).toEqual(['webhook_exists', 'Orders goes to this address already.'])
  expect((await owner.ask('GET', '/api/webhooks?q=orders')).items).toHaveLength(1)
  expect(await owner.call('DELETE', path(webhook))).toMatchObject({ status: 204 })
  expect((await owner.call('GET', path(webhook))).status).toBe(404)
  const crowded = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const add = (index: number, headers = {}) => {
    const body = { name: `W${index}`, url: `${receiver.url}/c${index}`, events: ['message.read'] }
    return crowded.call('POST', '/api/webhooks', body, headers)
  }
  const last = maxWebhooks - 2
  for (let index = 0; index < last; index += 1) expect((await add(index)).status).toBe(201)
  const once = { 'idempotency-key': 'the-last-but-one' }
  const { body: seen } = await add(last, once)
  const atOnce = await Promise.all([1, 2, 3, 4, 5].map((place) => add(last + place)))
  expect(atOnce.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, ...Array(4).fill('limit_reached')])
  await forgetAnswers()
  expect((await add(last, once)).body).toMatchObject({ id: seen.id, signingKey: seen.signingKey })
})

test.each([
  'https://10.1.2.3/hook',
  'https://[fd00::1]/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://user:secret@hooks.example/',
  'https://example.com:25/hook',
  'http://example.com/hook',
])('%s is refused when it is saved', async (url) => {
  const answer = await parley.signIn().call('POST', '/api/webhooks', { name: 'Bad', url, events: ['message.read'] })
  expect(answer.status).toBe(400)
  expect(answer.body.fields.url).not.toMatch(/that is no address/)
  const webhook = await create()
  const changed = await parley.signIn().call('PATCH', path(webhook), { url, version: 1 })
  expect(changed.status).toBe(400)
})

test('an agent sees no webhook, a viewer no path, another workspace nothing', async () => {
  const webhook = await create({ url: `${receiver.url}/secret-path-${made}` })
  const deliveries = `${path(webhook)}/deliveries`
  expect((await parley.signIn({ role: 'agent' }).call('GET', '/api/webhooks')).status).toBe(403)
  const seen = await parley.signIn({ role: 'viewer' }).ask('GET', path(webhook))
  expect(seen.url).toBe(receiver.url)
  const found = async (role: 'owner' | 'viewer', q: string) =>
    (await parley.signIn({ role }).ask('GET', `/api/webhooks?q=${q}`)).items.map(({ id }: { id: string }) => id)
  const secret = new URL(webhook.url).pathname
  expect(await found('owner', secret)).toEqual([webhook.id])
  // A search would find out a hidden path, one character after the other.
  expect(await found('viewer', secret)).toEqual([])
  expect(await found('viewer', encodeURIComponent(webhook.name))).toContain(webhook.id)
  const writes = [
    ['POST', '/api/webhooks', { name: 'X', url: 'https://x.example', events: ['message.read'] }],
    ['PATCH', path(webhook), { name: 'X', version: 1 }],
    ['DELETE', path(webhook)],
    ['POST', `${path(webhook)}/enable`],
    ['POST', `${path(webhook)}/test`, { type: 'message.read' }],
    ['POST', `${path(webhook)}/secret`, { overlapHours: 0 }],
    [
      'POST',
      `${path(webhook)}/replay`,
      { since: new Date(0).toISOString(), until: new Date().toISOString(), only: 'all' },
    ],
  ] as const
  const elsewhere = parley.signIn({ workspaceId: stranger })
  for (const [method, at, body] of writes) {
    expect((await parley.signIn({ role: 'viewer' }).call(method, at, body)).status, at).toBe(403)
    if (at !== '/api/webhooks') expect((await elsewhere.call(method, at, body)).status, at).toBe(404)
  }
  for (const at of [path(webhook), deliveries, `${deliveries}/${stranger}`])
    expect((await elsewhere.call('GET', at)).status, at).toBe(404)
})

test('the feed needs its scope, knows its own cursors, and moves past what is filtered', async () => {
  const key = parley.signInKey(['events:read'])
  expect((await parley.signInKey(['contacts:read']).call('GET', '/v1/events')).status).toBe(403)
  expect((await parley.signIn().call('GET', '/v1/events')).status).toBe(401)
  const { write } = withChats(parley, parley.signIn())
  await write('919812340613', 'Pia', 'one')
  const first = await key.ask('GET', '/v1/events?limit=1')
  expect(first).toMatchObject({ hasMore: true, items: [expect.anything()] })
  const none = await key.ask('GET', `/v1/events?types=account.update&after=${first.nextCursor}`)
  expect(none).toMatchObject({ items: [], hasMore: false })
  await eventually(async () => {
    const { items } = await key.ask('GET', '/v1/events?types=message.received&limit=500')
    expect(JSON.stringify(items)).toContain('"text":"one"')
  })
  // Events that follow a message, such as its assignment, may still come while the newest place is read.
  const latest = await eventually(async () => {
    const page = await key.ask('GET', '/v1/events?after=latest')
    expect(page.items).toEqual([])
    return page
  })
  const waiting = key.ask('GET', `/v1/events?after=${latest.nextCursor}&types=message.received&wait=20`)
  await write('919812340613', 'Pia', 'two')
  expect((await waiting).items).toMatchObject([{ data: { message: { content: { text: 'two' } } } }])
  for (const after of ['x', `${first.nextCursor.slice(0, -2)}AA`, '0'])
    expect((await key.call('GET', `/v1/events?after=${after}`)).body.code).toBe('validation_failed')
  const other = parley.signInKey(['events:read'], stranger)
  expect((await other.call('GET', `/v1/events?after=${first.nextCursor}`)).body.code).toBe('validation_failed')
  expect(await other.ask('GET', '/v1/events')).toMatchObject({ items: [], hasMore: false })
  // An expression of a connector that gives nothing filters nothing out: the cursor would pass over all events.
  expect((await key.ask('GET', '/v1/events?types=&limit=1')).items).toEqual(first.items)
})

test('a REST hook is made, lists samples, and is deleted, as connectors do it', async () => {
  const key = parley.signInKey(['webhooks:read', 'webhooks:write', 'events:read'])
  const body = { name: 'Zap', url: `${receiver.url}/zap`, events: ['message.received'] }
  const subscribed = await key.call('POST', '/api/webhooks', body)
  expect([subscribed.status, typeof subscribed.body.id]).toEqual([201, 'string'])
  const samples = await key.ask('GET', '/v1/events?types=message.received&limit=3')
  for (const sample of samples.items) publicEventSchemas['message.received'].parse(sample)
  expect((await key.call('DELETE', path(subscribed.body))).status).toBe(204)
})
