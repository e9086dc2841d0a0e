import { maxConnections } from '@parley/contracts/automation/connections'
import { Types } from 'mongoose'
import { beforeAll, expect, test, vi } from 'vitest'
import { flowOf, keyword, say, toPeople } from './flow-fixtures.ts'
import { json, serveOutside } from './outside-server.ts'
import { startAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof startAutomation>>
let shop: Awaited<ReturnType<typeof serveOutside>>
beforeAll(async () => {
  ;[parley, shop] = await Promise.all([
    startAutomation({ worker: true, kept: 'file' }),
    serveOutside((call, ...rest) => {
      // A host that takes its time.
      if (!call.url.startsWith('/slow')) json(200, { ok: true })(call, ...rest)
    }),
  ])
  return async () => {
    await Promise.all([parley.stop(), shop.close()])
  }
})

type Person = ReturnType<typeof parley.signIn>
const bearer = { kind: 'bearer', secret: 'a-very-secret-token' }
const add = (person: Person, more: object = {}) =>
  person.call('POST', '/api/connections', { name: 'Shop', baseUrl: `${shop.url}/v1/`, authentication: bearer, ...more })

async function tested(person: Person, id: string, request: object) {
  const { id: callId } = await person.ask('POST', `/api/connections/${id}/tests`, request)
  return vi.waitFor(
    async () => {
      const test = await person.ask('GET', `/api/connections/${id}/tests/${callId}`)
      expect(['answered', 'failed', 'uncertain']).toContain(test.state)
      return test
    },
    { timeout: 20_000, interval: 100 },
  )
}

test('a connection is made, shown and changed; its secret is in no answer, record or audit entry, and leaves in calls alone', async () => {
  const ann = parley.signIn()
  const made = await add(ann)
  expect(made).toMatchObject({
    status: 201,
    body: { baseUrl: `${shop.url}/v1`, authentication: { kind: 'bearer' }, version: 1 },
  })
  const { id } = made.body
  const renamed = await ann.ask('PATCH', `/api/connections/${id}`, {
    version: 1,
    name: 'Our shop',
    authentication: { kind: 'bearer' },
  })
  expect(renamed).toMatchObject({ name: 'Our shop', version: 2 })
  expect((await add(ann, { name: 'our SHOP' })).body.code).toBe('connection_exists')
  expect((await ann.call('PATCH', `/api/connections/${id}`, { version: 1, name: 'Late' })).body.code).toBe(
    'stale_version',
  )
  const result = await tested(ann, id, { method: 'POST', path: '/orders', body: '{"a": 1}' })
  expect(result).toMatchObject({ state: 'answered', status: 200, bytes: 11, answer: '{"ok":true}' })
  expect(shop.seen.at(-1)).toMatchObject({ method: 'POST', url: '/v1/orders', body: '{"a":1}'.replace(':', ': ') })
  expect(shop.seen.at(-1)?.headers.authorization).toBe('Bearer a-very-secret-token')
  const { connection } = parley.database
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const kept = await Promise.all(
    ['connections', 'calls', 'auditEntries', 'idempotencyKeys'].map((name) =>
      connection.collection(name).find({ workspaceId }).toArray(),
    ),
  )
  const answers = [
    made.body,
    renamed,
    result,
    await ann.ask('GET', '/api/connections'),
    await ann.ask('GET', `/api/connections/${id}`),
  ]
  expect(JSON.stringify([kept, answers])).not.toContain('a-very-secret-token')
  expect(kept[0]?.[0]?.['sealed']).toMatch(/^k1\./)
})

test('another host, or another way of proving it, needs the secret again', async () => {
  const ann = parley.signIn()
  const { id } = (await add(ann)).body
  const change = (more: object) => ann.call('PATCH', `/api/connections/${id}`, { version: 1, ...more })
  for (const more of [
    { baseUrl: 'https://elsewhere.example' },
    { baseUrl: shop.url.replace('127.0.0.1', 'localhost') },
    { authentication: { kind: 'header', header: 'X-Key' } },
    { authentication: { kind: 'basic', username: 'ann' } },
  ])
    expect((await change(more)).body).toMatchObject({
      code: 'validation_failed',
      fields: { 'authentication.secret': /again/ },
    })
  expect((await change({ baseUrl: `${shop.url}/v2` })).status).toBe(200)
})

test('addresses of our own network, in whatever spelling, are refused before anything is sent', async () => {
  const ann = parley.signIn()
  for (const baseUrl of [
    'http://example.com',
    'https://10.0.0.1',
    'https://169.254.169.254/latest',
    'https://[fd00:ec2::254]',
    'https://0xa000001',
    'https://192.168.1.1:8443',
    'https://example.com:25',
    'https://100.100.100.200',
    'https://[::ffff:10.0.0.1]',
  ])
    expect([baseUrl, (await add(ann, { name: baseUrl, baseUrl })).body.code]).toEqual([baseUrl, 'address_refused'])
  for (const baseUrl of [
    'https://ann:pw@example.com',
    'https://{{name}}.example',
    'https://a.example?x=1',
    'ftp://a.example',
    'https://a.example#x',
  ])
    expect([baseUrl, (await add(ann, { name: baseUrl, baseUrl })).body.code]).toEqual([baseUrl, 'validation_failed'])
  expect((await add(ann, { authentication: { kind: 'header', header: 'Host', secret: 'x' } })).body.code).toBe(
    'validation_failed',
  )
  expect((await add(ann, { authentication: { kind: 'bearer', secret: 'x\r\ny' } })).body.code).toBe('validation_failed')
  expect((await ann.ask('GET', '/api/connections')).items).toEqual([])
})

test('a connection that a published flow calls is not deleted, and a flow that names a missing one is not published', async () => {
  const ann = parley.signIn()
  const { id } = (await add(ann)).body
  const flow = (connectionId: string) =>
    flowOf(keyword('call'), { kind: 'http_call', connectionId, method: 'GET', path: '/' }, say('Done.'), toPeople)
  const bot = await ann.ask('POST', '/api/bots', { name: 'Caller', draft: flow(id) })
  expect((await ann.ask('GET', `/api/connections/${id}`)).usedBy).toEqual([
    { kind: 'bot', id: bot.id, name: 'Caller', published: false },
  ])
  expect((await ann.call('POST', `/api/bots/${bot.id}/publish`, { version: 1 })).status).toBe(200)
  expect((await ann.call('DELETE', `/api/connections/${id}`)).body).toMatchObject({
    code: 'in_use',
    existing: { id: bot.id, name: 'Caller' },
  })
  await ann.ask('DELETE', `/api/bots/${bot.id}`)
  expect((await ann.call('DELETE', `/api/connections/${id}`)).status).toBe(204)
  const next = await ann.ask('POST', '/api/bots', { name: 'Late', draft: flow(id) })
  const refused = await ann.call('POST', `/api/bots/${next.id}/publish`, { version: 1 })
  expect(refused.body).toMatchObject({ code: 'invalid_flow', message: /This connection does not exist/ })
})

test('of a deletion and a publication at once one is refused', async () => {
  const ann = parley.signIn()
  const { id } = (await add(ann)).body
  const draft = flowOf(keyword('race'), { kind: 'http_call', connectionId: id, method: 'GET', path: '/' }, toPeople)
  const bot = await ann.ask('POST', '/api/bots', { name: 'Racer', draft })
  const answers = await Promise.all([
    ann.call('POST', `/api/bots/${bot.id}/publish`, { version: 1 }),
    ann.call('DELETE', `/api/connections/${id}`),
  ])
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
})

test('tests of another workspace, and of another connection, are not to be read', async () => {
  const [ann, mallory] = [parley.signIn(), parley.signIn()]
  const [one, other] = [(await add(ann)).body, (await add(ann, { name: 'Other' })).body]
  const { id: callId } = await tested(ann, one.id, { method: 'GET', path: '/' })
  expect((await mallory.call('GET', `/api/connections/${one.id}/tests/${callId}`)).status).toBe(404)
  expect((await ann.call('GET', `/api/connections/${other.id}/tests/${callId}`)).status).toBe(404)
  expect((await mallory.call('POST', `/api/connections/${one.id}/tests`, { method: 'GET', path: '/' })).status).toBe(
    404,
  )
})

test('a host that does not answer holds up no other', async () => {
  const ann = parley.signIn()
  const [slow, fast] = [(await add(ann, { baseUrl: `${shop.url}/slow` })).body, (await add(ann, { name: 'Fast' })).body]
  const late = { method: 'GET', path: '/', timeoutSeconds: 30 }
  const waiting = await Promise.all(
    Array.from({ length: 5 }, () => ann.ask('POST', `/api/connections/${slow.id}/tests`, late)),
  )
  expect((await ann.call('POST', `/api/connections/${slow.id}/tests`, late)).body.code).toBe('limit_reached')
  expect(await tested(ann, fast.id, { method: 'GET', path: '/' })).toMatchObject({ state: 'answered' })
  for (const { id } of waiting)
    expect(['waiting', 'started']).toContain((await ann.ask('GET', `/api/connections/${slow.id}/tests/${id}`)).state)
})

test('a workspace has at most fifty connections, however many are made at once', async () => {
  const ann = parley.signIn()
  const count = async () => (await ann.ask('GET', '/api/connections')).items.length
  for (let one = await count(); one < maxConnections - 1; one += 1) await add(ann, { name: `Shop ${one}` })
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => add(ann, { name: `Last ${index}` })))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(made.flatMap(({ body }) => body.code ?? []))).toEqual(new Set(['limit_reached']))
  expect(await count()).toBe(maxConnections)
})
