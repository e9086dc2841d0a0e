import { afterEach, expect, test, vi } from 'vitest'
import { end, flowOf, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import { json, serveOutside } from './outside-server.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
const closing: (() => unknown)[] = []
const database = joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function outside(handler: Parameters<typeof serveOutside>[0]) {
  const server = await serveOutside(handler)
  closing.push(server.close)
  return server
}

const call = (connectionId: string, more: object = {}) => ({
  id: 'call',
  kind: 'http_call' as const,
  connectionId,
  method: 'GET',
  path: '/orders/{{last_answer}}',
  ...more,
})
/** Asks for an order, calls, and says what came of it; `branches` are those that are drawn. */
const orderFlow = (connectionId: string, more: object = {}, branches = ['next', 'failed', 'uncertain']) =>
  flowOf(
    [
      keyword('order', 'order'),
      { id: 'which', kind: 'ask', text: 'Which order?', attribute: 'order', save: 'session' },
      call(connectionId, more),
      ...branches.map((branch) => text(branch, branch === 'next' ? 'It is {{session.state|unknown}}.' : branch)),
      end,
    ],
    [
      'order next which',
      'which next call',
      ...branches.flatMap((branch) => [`call ${branch} ${branch}`, `${branch} next end`]),
    ],
  )
const said = () => talk.sent.map(({ text: one }) => one)
const mappings = [{ pointer: '/order/state', attribute: 'state', save: 'session' }]

async function asked(answer: string) {
  parley.messaging.say(talk, { text: 'order' })
  await parley.settle()
  parley.messaging.say(talk, { text: answer })
  await parley.settle()
}

test('a step calls the host of its connection with its secret; the answer becomes what the customer reads, and the run tells how it went', async () => {
  const shop = await outside(json(200, { order: { state: 'on its way' } }))
  const authentication = { kind: 'header' as const, header: 'X-Key', secret: 'very-secret' }
  const { id } = await parley.connect(`${shop.url}/v2`, { authentication })
  parley.addBot(orderFlow(id, { path: '/orders/{{session.order}}?full=1', mappings }))
  await asked('4/../7')
  await parley.callOut()
  expect(shop.seen).toMatchObject([{ method: 'GET', url: '/v2/orders/4%2F..%2F7?full=1', body: '' }])
  expect(shop.seen[0]?.headers).toMatchObject({ 'x-key': 'very-secret', accept: 'application/json' })
  expect(said().at(-1)).toBe('It is on its way.')
  const [run] = await parley.runs()
  expect(run).toMatchObject({ status: 'ended', outcome: 'completed' })
  const steps = (await parley.steps()).filter(({ nodeId }) => nodeId === 'call')
  expect(steps).toMatchObject([
    { kind: 'http_call', action: 'http_call', outcome: 'done', branch: 'next', call: { status: 200, bytes: 32 } },
  ])
  const kept = JSON.stringify([await parley.calls(), run, await parley.steps()])
  expect(kept).not.toMatch(/very-secret|on its way|4%2F|"path":"/)
})

test.each([
  ['a refusal', json(404, {}), 'failed', 'http_status'],
  ['a redirect, which is not followed', json(302, {}, { location: 'http://127.0.0.1:1/' }), 'failed', 'redirected'],
  ['an answer without the field', json(200, ['x']), 'next', undefined],
  ['no JSON', (_call, _request, response) => void response.end('<html>'), 'failed', 'answer_not_json'],
] satisfies [string, Parameters<typeof serveOutside>[0], string, string | undefined][])(
  '%s leaves by %s',
  async (_, handler, branch, code) => {
    const shop = await outside(handler)
    const { id } = await parley.connect(shop.url)
    parley.addBot(orderFlow(id, { mappings }))
    await asked('7')
    await parley.callOut()
    expect(shop.seen).toHaveLength(1)
    expect(said().at(-1)).toBe(branch === 'next' ? 'It is unknown.' : branch)
    expect((await parley.steps()).find(({ nodeId }) => nodeId === 'call')?.['code']).toBe(code)
  },
)

test('an answer without end is cut, and fails', async () => {
  const shop = await outside((_call, _request, response) => {
    response.writeHead(200)
    const more = () => response.write('x'.repeat(64 * 1024)) && setImmediate(more)
    response.on('drain', more)
    more()
  })
  const { id } = await parley.connect(shop.url)
  parley.addBot(orderFlow(id, { mappings }))
  await asked('7')
  await parley.callOut()
  expect(said().at(-1)).toBe('failed')
  expect((await parley.calls())[0]).toMatchObject({ code: 'answer_too_large', status: 200 })
})

test('a read is made again after 5xx and a broken connection, three times in all; a change that fails is not', async () => {
  let count = 0
  const shop = await outside((seen, request, response) => {
    count += 1
    if (seen.method === 'GET' && count === 1) return void response.writeHead(503, { 'retry-after': '0' }).end()
    if (seen.method === 'GET' && count === 2) return void request.socket.destroy()
    response.writeHead(seen.method === 'GET' ? 200 : 500).end('{"order":{"state":"sent"}}')
  })
  const { id } = await parley.connect(shop.url)
  parley.addBot(orderFlow(id, { mappings }))
  await asked('7')
  await vi.waitFor(
    async () => {
      await parley.callOut()
      expect(said().at(-1)).toBe('It is sent.')
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(shop.seen).toHaveLength(3)
  parley.addBot(
    flowOf(
      [keyword('pay', 'pay'), call(id, { method: 'POST' }), text('failed', 'No.'), end],
      ['pay next call', 'call failed failed', 'failed next end'],
    ),
  )
  parley.messaging.say(talk, { text: 'pay' })
  await parley.settle()
  await parley.callOut()
  expect(said().at(-1)).toBe('No.')
  expect(shop.seen).toHaveLength(4)
})

test.each([
  ['is broken', {}],
  ['takes too long', { timeoutSeconds: 1 }],
])(
  'a change whose connection %s once it has left is uncertain, never repeated, and somebody is told',
  async (_, more) => {
    const shop = await outside((_seen, request) => {
      if (!('timeoutSeconds' in more)) request.socket.destroy()
    })
    const { id } = await parley.connect(shop.url)
    parley.addBot(orderFlow(id, { ...more, method: 'POST', path: '/payments', body: '{"order": "{{last_answer}}"}' }))
    await asked('"},"admin":true')
    await parley.callOut()
    expect(shop.seen).toHaveLength(1)
    expect(JSON.parse(shop.seen[0]?.body ?? '')).toEqual({ order: '"},"admin":true' })
    expect(shop.seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{24}\.\d+\.\d+$/)
    expect(said().at(-1)).toBe('uncertain')
    expect((await parley.steps()).find(({ nodeId }) => nodeId === 'call')).toMatchObject({
      outcome: 'refused',
      code: 'uncertain',
    })
    expect(await parley.items()).toMatchObject([{ code: 'uncertain', nodeId: 'call' }])
  },
)

test('where the other system does repeated calls once, a broken one is made again with the same key', async () => {
  const shop = await outside((_seen, request, response) => {
    if (shop.seen.length === 1) request.socket.destroy()
    else response.end('{}')
  })
  const { id } = await parley.connect(shop.url, { repeatable: true })
  parley.addBot(orderFlow(id, { method: 'POST' }))
  await asked('7')
  await vi.waitFor(
    async () => {
      await parley.callOut()
      expect(said().at(-1)).toBe('It is unknown.')
    },
    { timeout: 20_000, interval: 200 },
  )
  const keys = shop.seen.map(({ headers }) => headers['idempotency-key'])
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('a call whose worker died is uncertain, or made again where that does no harm', async () => {
  const shop = await outside(json(200, {}))
  const { id } = await parley.connect(shop.url)
  parley.addBot(orderFlow(id, { method: 'POST' }))
  await asked('7')
  const die = () =>
    database()
      .database.connection.collection('calls')
      .updateMany({ open: 'open' }, { $set: { state: 'started', lease: 'of the dead', tries: 1, dueAt: new Date(0) } })
  await die()
  await parley.callOut()
  expect([shop.seen.length, said().at(-1)]).toEqual([0, 'uncertain'])
  parley.messaging.people.close(talk)
  parley.addBot(
    flowOf(
      [keyword('read', 'read'), call(id), text('next', 'Read.'), end],
      ['read next call', 'call next next', 'next next end'],
    ),
  )
  parley.messaging.say(talk, { text: 'read' })
  await parley.settle()
  await die()
  await parley.callOut()
  expect([shop.seen.length, said().at(-1)]).toEqual([1, 'Read.'])
})

test('a host that does not exist is no uncertainty; after twenty failures in a row it is left alone for a minute', async () => {
  const shop = await outside(json(500, {}))
  const { id } = await parley.connect(shop.url)
  for (let time = 0; time < 20; time += 1) await parley.callStore.hosts.note(parley.scope, id, true)
  parley.addBot(orderFlow(id, { method: 'POST' }))
  await asked('7')
  await parley.callOut()
  expect([shop.seen.length, said().at(-1)]).toEqual([0, 'failed'])
  expect((await parley.calls())[0]).toMatchObject({ state: 'failed', code: 'host_failing' })
  await parley.callStore.hosts.note(parley.scope, id, false)
  expect(await parley.callStore.hosts.isClosed(parley.scope, id)).toBe(false)
})

test('messages that come during a call wait for its answer, and a result that nobody waits for any more changes nothing', async () => {
  const shop = await outside(json(200, {}))
  const { id } = await parley.connect(shop.url)
  const flow = flowOf(
    [
      keyword('ask', 'ask'),
      call(id),
      { id: 'more', kind: 'ask', text: 'More?', attribute: 'more', save: 'session' },
      text('said', 'You said {{session.more}}.'),
      end,
    ],
    ['ask next call', 'call next more', 'more next said', 'said next end'],
  )
  parley.addBot(flow)
  parley.messaging.say(talk, { text: 'ask' })
  await parley.settle()
  parley.messaging.say(talk, { text: 'meanwhile' })
  await parley.settle()
  await parley.callOut()
  expect(said().slice(-2)).toEqual(['More?', 'You said meanwhile.'])
  const [ended] = await parley.calls()
  await parley.giveAnswer(parley.scope, {
    ...ended,
    id: String(ended?._id),
    run: { ...ended?.['run'], runId: String(ended?.['run'].runId) },
    state: 'failed',
  } as never)
  expect(said()).toHaveLength(2)
})

test('a connection that is gone fails the step, and an erased person leaves no call behind', async () => {
  const shop = await outside(json(200, {}))
  parley.addBot(orderFlow('a'.repeat(24)))
  await asked('7')
  expect(said().at(-1)).toBe('failed')
  const { id } = await parley.connect(shop.url)
  parley.addBot(flowOf([keyword('wait', 'wait'), call(id), end], ['wait next call', 'call next end']))
  parley.messaging.say(talk, { text: 'wait' })
  await parley.settle()
  expect(await parley.calls()).toHaveLength(1)
  parley.messaging.emit(talk, {
    type: 'contact.erased',
    by: { kind: 'user', id: 'a'.repeat(24) },
    data: { contactId: talk.contactId, conversationIds: [talk.id] },
  })
  await parley.settle()
  expect(await parley.calls()).toEqual([])
})

test('a workflow whose call was uncertain is tried again on a person’s word alone', async () => {
  const shop = await outside((_seen, request) => request.socket.destroy())
  const { id } = await parley.connect(shop.url)
  parley.addWorkflow(
    flowOf(
      [{ id: 'on', kind: 'event', event: 'contact.tag_added' }, call(id, { method: 'POST', path: '/pay' })],
      ['on next call'],
    ),
    { reEnrolment: 'always' },
  )
  parley.messaging.tag(talk, 'vip')
  await parley.settle()
  await parley.callOut()
  const [failed] = await parley.runs()
  expect(failed).toMatchObject({ outcome: 'failed', code: 'uncertain' })
  const again = { from: 'failed', version: 'current', repeatUncertain: false } as const
  await expect(parley.retry(parley.scope, String(failed?._id), again)).rejects.toMatchObject({ code: 'step_uncertain' })
  await parley.retry(parley.scope, String(failed?._id), { ...again, repeatUncertain: true })
  await parley.settle()
  await parley.callOut()
  const keys = shop.seen.map(({ headers }) => headers['idempotency-key'])
  expect([keys.length, new Set(keys).size]).toEqual([2, 2])
})
