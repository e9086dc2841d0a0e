import { once } from 'node:events'
import { connect } from 'node:net'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from './listen.ts'
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

test('what happens is published to the stream of the workspace: rising numbers, and nothing of what was written', async () => {
  const { scope, simulator } = parley
  const key = `events:{${scope.workspaceId}}`
  await simulator.call('/inbound', { from: '919812345679', type: 'text', text: { body: 'Hi' } })
  const entries = async () => redis.xrange(key, '-', '+')
  const owner = parley.signIn()
  const conversations = async () => (await owner.call('GET', '/api/conversations')).body.items
  await expect.poll(async () => (await conversations())[0]?.contact.phone).toBe('+919812345679')
  await expect.poll(entries).not.toEqual([])
  const numbers = (await entries()).map(([id]) => Number(id.split('-')[0]))
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  expect(JSON.stringify(await entries())).not.toMatch(/Hi|9198123/)
})

test('what is stored and sent is counted', async () => {
  const { simulator, ingest, worker, signIn } = parley
  const ann = signIn()
  const figure = async (url: string, series: string) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const [, value] = new RegExp(`^${series},process="[^"]+"} (\\d+)$`, 'm').exec(text) ?? []
    return Number(value)
  }
  const stored = () => figure(ingest.managementUrl, 'webhook_events_stored_total{kind="message"')
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
  const text = await (await fetch(`${worker.url}/metrics`)).text()
  for (const name of ['inbound_message_delay_seconds', 'reply_delay_seconds'])
    expect(text).toMatch(new RegExp(`^${name}_count\\{process="messaging-worker"\\} [1-9]`, 'm'))
  expect(text).toMatch(
    /^graph_request_duration_seconds_count\{process="messaging-worker",call="messages",code="ok"\} [1-9]/m,
  )
})

test('messages that wait for long are told of by their kind, those of a stopped number and held ones apart', async () => {
  const { database, worker, number, scope } = parley
  const [messages, numbers] = [database.connection.collection('messages'), database.connection.collection('numbers')]
  const own = { workspaceId: new Types.ObjectId(scope.workspaceId), numberId: new Types.ObjectId(number.id) }
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const queued = (minutes: number, more: { priority?: number; sendLane?: string; dispatch?: object } = {}) => ({
    ...own,
    conversationId: new Types.ObjectId(),
    contactId: new Types.ObjectId(),
    direction: 'outbound',
    content: { type: 'text', text: 'Hi' },
    sendLane: more.sendLane ?? String(laneOf(number.id)),
    dispatch: {
      state: 'queued',
      priority: more.priority ?? 0,
      notBefore: minutesAgo(minutes),
      attempts: 0,
      ...more.dispatch,
    },
    statusAt: {},
    sentAt: minutesAgo(minutes),
    createdAt: minutesAgo(minutes),
    version: 1,
  })
  const [reply, bulk] = [queued(19), queued(25, { priority: 7 })]
  // Another worker is about to send what comes before them in their conversations.
  const before = [reply, bulk].map(({ conversationId }) => ({
    ...queued(30, { dispatch: { state: 'sending', claim: 'other', leaseUntil: minutesAgo(-60) } }),
    conversationId,
  }))
  const added = [...before, reply, bulk, queued(90, { sendLane: 'held', dispatch: { state: 'held' } })]
  const minutes = async (series: string) => {
    const text = await (await fetch(`${worker.url}/metrics`)).text()
    const [, seconds] = new RegExp(`^${series},process="messaging-worker"} (\\S+)$`, 'm').exec(text) ?? []
    return Math.floor(Number(seconds) / 60)
  }
  const told = async () => ({
    send: await minutes('pending_work_seconds{kind="send"'),
    campaigns: await minutes('pending_work_seconds{kind="campaigns"'),
    token: await minutes('stopped_work_seconds{reason="token"'),
    number: await minutes('stopped_work_seconds{reason="number"'),
    held: await minutes('stopped_work_seconds{reason="held"'),
  })
  const none = { send: 0, campaigns: 0, token: 0, number: 0 }
  const stop = (code: number) =>
    numbers.updateOne(
      { _id: own.numberId },
      { $set: { status: 'disconnected', stopped: { code, reason: 'x', at: minutesAgo(8) } } },
    )
  await messages.insertMany(added)
  try {
    await expect.poll(told).toEqual({ ...none, send: 19, campaigns: 25, held: 90 })
    await stop(190)
    await expect.poll(told).toEqual({ ...none, token: 8, held: 90 })
    await stop(131031)
    await expect.poll(told).toEqual({ ...none, number: 8, held: 90 })
    // However much a stopped number has, none of it is read.
    await messages.insertMany(Array.from({ length: 2000 }, (_, index) => queued(15, { priority: index % 2 })))
    const plans = await queryPlans(database.connection, async () => {
      const since = await parley.services.sendAges.waitingSince([laneOf(number.id)])
      expect(since).toEqual({ send: undefined, campaigns: undefined })
      await parley.services.sendAges.stoppedSince()
    })
    // Those of the worker are among them; it reads what it may send at once.
    const read = plans.filter(({ collection }) => collection === 'messages').map(({ documents }) => documents)
    expect(read).not.toEqual([])
    expect(Math.max(...read)).toBeLessThan(1000)
  } finally {
    await messages.deleteMany({ 'content.text': 'Hi', createdAt: { $lt: minutesAgo(10) } })
    await numbers.updateOne({ _id: own.numberId }, { $set: { status: 'connected' }, $unset: { stopped: '' } })
  }
  await expect.poll(told).toEqual({ ...none, held: 0 })
})

test('events that automation has not read are told of, those of workspaces that are being deleted apart', async () => {
  const { database, worker } = parley
  const workspaceId = new Types.ObjectId()
  const collection = (name: string) => database.connection.collection(name)
  const age = async () => {
    const text = await (await fetch(`${worker.url}/metrics`)).text()
    const [, seconds] = /^pending_work_seconds\{kind="automation",.*\} (\S+)$/m.exec(text) ?? []
    return Math.floor(Number(seconds) / 60)
  }
  expect(await age()).toBe(0)
  const recordedAt = new Date(Date.now() - 20 * 60_000)
  const event = { workspaceId, seq: 1, type: 'contact.erased', at: recordedAt, recordedAt }
  await collection('events').insertOne(event)
  await collection('eventHeads').insertOne({ _id: workspaceId, seq: 1, due: ['automation'] })
  await expect.poll(age).toBe(20)
  await collection('closingWorkspaces').insertOne({ workspaceId, closing: 'closes' })
  await expect.poll(age).toBe(0)
})

test('pages that are open are counted', async () => {
  const { server, signIn } = parley
  const open = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^open_streams\{kind="events",process="messaging"\} (\d+)$/m.exec(text)?.[1])
  }
  const before = await open()
  const page = await listen(signIn())
  await expect.poll(open).toBe(before + 1)
  await page.leave()
  await expect.poll(open).toBe(before)
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

test('whoever knows no address or signs nothing is refused before the body is read', async () => {
  const { hostname, port } = new URL(parley.ingest.url)
  const { url } = await parley.services.endpoints.callback(parley.scope)
  const address = url.slice(-32)
  const signature = `X-Hub-Signature-256: sha256=${'a'.repeat(64)}\r\n`
  const asked = [
    { path: '0'.repeat(32), headers: signature },
    { path: address, headers: '' },
    { path: address, headers: 'X-Hub-Signature-256: sha256=short\r\n' },
  ]
  for (const { path, headers } of asked) {
    const socket = connect(Number(port), hostname)
    // None of the announced 4 MB is sent: only a process that waits for a body would not answer.
    socket.write(`POST /hooks/whatsapp/${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 4000000\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  }
})

test('answers of the ingest process say nosniff and HSTS, refusals too, and its public port tells operators nothing', async () => {
  for (const path of [
    '/l/unknown',
    `/hooks/whatsapp/${'0'.repeat(32)}`,
    '/no/such/path',
    '/metrics',
    '/openapi.json',
  ]) {
    const { status, headers } = await fetch(`${parley.ingest.url}${path}`)
    expect([path, status]).toEqual([path, path.startsWith('/hooks') ? 403 : 404])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  }
  expect(await (await fetch(`${parley.ingest.managementUrl}/metrics`)).text()).toContain('webhooks_refused_total')
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
