import { randomUUID } from 'node:crypto'
import { keyScopes, scopesByNumber } from '@parley/contracts/account/api-keys'
import { isForKeys } from '@parley/contracts/core/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let shop: ReturnType<typeof parley.signInProgram>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())
beforeEach(() => {
  shop = parley.signInProgram({ scopes: keyScopes })
})

let count = 0
const newPhone = () => `+91981234${String(5000 + ++count)}`
/** A customer who has just written, and may be answered. */
async function customer() {
  const phone = newPhone()
  const from = phone.slice(1)
  await parley.simulator.call('/inbound', { from, name: `Of ${from}`, type: 'text', text: { body: 'Hi' } })
  return eventually(async () => {
    const { body } = await ann.call('GET', `/api/conversations?q=${from}`)
    expect(body.items).toHaveLength(1)
    return { phone, conversation: body.items[0] }
  })
}
const records = (name: string) => parley.database.connection.collection(name)
const workspaceId = () => new Types.ObjectId(parley.scope.workspaceId)

test('a message by phone number stands in the inbox, as sent by the key', async () => {
  const { phone, conversation } = await customer()
  const { status, body } = await shop.call('POST', '/v1/messages', { to: phone, text: 'On its way' })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body).toMatchObject({
    conversationId: conversation.id,
    contactId: conversation.contact.id,
    from: conversation.numberId,
  })
  const thread = (await ann.call('GET', `/api/conversations/${conversation.id}/messages`)).body.items
  const shown = thread.find(({ id }: { id: string }) => id === body.message.id)
  expect(shown).toMatchObject({ content: { text: 'On its way' }, cause: { kind: 'api', id: shop.id } })
  await eventually(async () => {
    const read = (await shop.call('GET', `/v1/messages/${body.message.id}`)).body
    expect(read.status).toMatch(/sent|delivered|read/)
  })
  const event = await records('events').findOne({ workspaceId: workspaceId(), recordId: body.message.id })
  expect(event?.['by']).toEqual({ kind: 'api_key', id: shop.id })
})

test('someone unknown becomes a contact; without an open window only a template goes', async () => {
  const to = newPhone()
  const refused = await shop.call('POST', '/v1/messages', { to, text: 'Hello' })
  expect(refused.body.code).toBe('window_closed')
  const { items } = (await ann.call('GET', `/api/contacts?q=${encodeURIComponent(to)}`)).body
  expect(items).toMatchObject([{ phone: to }])
  const again = await shop.call('POST', '/v1/messages', { contactId: items[0].id, text: 'Hello' })
  expect(again.body.code).toBe('window_closed')
})

test.each([
  ['no receiver', { text: 'x' }],
  ['two receivers', { to: '+919812345678', contactId: 'a'.repeat(24), text: 'x' }],
  ['no content', { to: '+919812345678' }],
  ['two contents', { to: '+919812345678', text: 'x', template: { id: 'a'.repeat(24) } }],
  [
    'a scheduled template',
    { to: '+919812345678', template: { id: 'a'.repeat(24) }, sendAt: '2027-01-01T00:00:00.000Z' },
  ],
])('%s is refused', async (_what, body) => {
  expect((await shop.call('POST', '/v1/messages', body)).body.code).toBe('validation_failed')
})

/** Forgets a kept answer, as after a process that died between its commit and the answer: the lease has ended. */
const forgetAnswer = () =>
  records('idempotencyKeys').updateMany(
    { workspaceId: parley.scope.workspaceId },
    { $set: { leaseEndsAt: new Date(0) }, $unset: { answer: '' } },
  )
type Made = [string, () => Promise<[string, object]>, string, (body: { id: string; message: { id: string } }) => string]
const made: Made[] = [
  [
    'a message',
    async () => ['/v1/messages', { to: (await customer()).phone, text: 'Once' }],
    'messages',
    (body) => body.message.id,
  ],
  [
    'a reply',
    async () => [
      `/api/conversations/${(await customer()).conversation.id}/messages`,
      { content: { type: 'text', text: 'Once' } },
    ],
    'messages',
    (body) => body.message.id,
  ],
  [
    'a contact',
    async () => ['/api/contacts', { name: 'Once', phone: newPhone(), tags: [], attributes: {} }],
    'contacts',
    (body) => body.id,
  ],
  [
    'a segment',
    async () => [
      '/api/segments',
      {
        name: `Once ${count}`,
        filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'vip' }] },
      },
    ],
    'segments',
    (body) => body.id,
  ],
  [
    'a draft of a campaign',
    async () => ['/api/campaigns', { name: `Once ${count}`, variables: {} }],
    'campaigns',
    (body) => body.id,
  ],
]

test.each(made)(
  '%s is made once, by 20 at once with one key and again after a crash',
  async (_what, input, name, idOf) => {
    const [path, json] = await input()
    const all = () => records(name).countDocuments({ workspaceId: workspaceId() })
    const before = await all()
    const headers = { 'idempotency-key': randomUUID() }
    const call = () => shop.call('POST', path, json, headers)
    const answers = await Promise.all(Array.from({ length: 20 }, call))
    const settled = await eventually(async () => {
      const answer = await call()
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer
    })
    const id = idOf(settled.body)
    for (const { status, body } of answers) {
      expect([201, 409]).toContain(status)
      if (status === 409) expect(body.code).toBe('request_in_progress')
      else expect(idOf(body)).toBe(id)
    }
    expect(settled.headers.get('idempotent-replayed')).toBe('true')
    expect(await all()).toBe(before + 1)
    await forgetAnswer()
    const afterCrash = await call()
    expect([afterCrash.status, idOf(afterCrash.body)]).toEqual([201, id])
    expect(afterCrash.headers.get('idempotent-replayed')).toBeNull()
    expect(await all()).toBe(before + 1)
    const other = await parley.signInProgram({ scopes: ['contacts:read'] }).call('POST', path, json, headers)
    expect(other.status).toBe(403)
  },
)

test('a key for one number sees and answers its conversations only', async () => {
  const { phone, conversation } = await customer()
  const limitedKey = parley.signInProgram({ scopes: [...scopesByNumber], numbers: [conversation.numberId] })
  const other = parley.signInProgram({ scopes: [...scopesByNumber], numbers: ['f'.repeat(24)] })
  const path = `/api/conversations/${conversation.id}`
  const calls = [
    ['GET', path, undefined],
    ['GET', `${path}/messages`, undefined],
    ['POST', `${path}/messages`, { content: { type: 'text', text: 'x' } }],
    ['POST', `${path}/templates`, { templateId: 'a'.repeat(24), values: {} }],
    ['PATCH', path, { read: true }],
  ] as const
  for (const [method, at, json] of calls) expect((await other.call(method, at, json)).status, at).toBe(404)
  expect((await other.call('GET', '/api/conversations')).body).toMatchObject({ items: [], total: 0 })
  expect((await other.call('GET', '/api/numbers')).body).toMatchObject({ items: [], total: 0 })
  const number = `/api/numbers/${conversation.numberId}`
  expect((await limitedKey.call('GET', number)).body).toMatchObject({ id: conversation.numberId })
  expect((await other.call('GET', number)).status).toBe(404)
  expect((await other.call('POST', '/v1/messages', { to: phone, text: 'x' })).body.code).toBe('wrong_state')
  const sent = (await limitedKey.call('POST', '/v1/messages', { to: phone, text: 'x' })).body
  expect((await limitedKey.call('GET', `/v1/messages/${sent.message.id}`)).status).toBe(200)
  expect((await other.call('GET', `/v1/messages/${sent.message.id}`)).status).toBe(404)
  for (const [method, at] of calls.slice(0, 2)) expect((await limitedKey.call(method, at)).status).toBe(200)
  const chosen = await other.call('POST', '/v1/messages', { to: phone, from: conversation.numberId, text: 'x' })
  expect(chosen.status).toBe(404)
})

test('what belongs to another workspace is not there, whatever is asked', async () => {
  const { conversation } = await customer()
  const { message } = (await shop.call('POST', '/v1/messages', { contactId: conversation.contact.id, text: 'x' })).body
  const stranger = parley.signInProgram({ scopes: keyScopes, workspaceId: new Types.ObjectId().toHexString() })
  const ids: Record<string, string> = {
    conversations: conversation.id,
    contacts: conversation.contact.id,
    messages: message.id,
  }
  const reads = (endpointsOf.messaging ?? []).filter(
    (endpoint) => isForKeys(endpoint) && endpoint.method === 'GET' && /:id/.test(endpoint.path),
  )
  expect(reads.length).toBeGreaterThan(8)
  for (const { path, operation } of reads) {
    const [, , domain = ''] = path.split('/')
    const { status } = await stranger.call(
      'GET',
      path.replace(':id', ids[domain] ?? 'a'.repeat(24)).replaceAll(/:\w+/g, message.id),
    )
    expect([operation, status]).toEqual([operation, 404])
  }
})

test('a key changes conversations under its own name, and assigns only with the scope', async () => {
  const { conversation } = await customer()
  const path = `/api/conversations/${conversation.id}`
  const narrow = parley.signInProgram({ scopes: ['conversations:write'] })
  expect((await narrow.call('PATCH', path, { owner: { kind: 'nobody' } })).status).toBe(403)
  expect((await shop.call('PATCH', path, { owner: { kind: 'member' } })).body.code).toBe('validation_failed')
  expect((await narrow.call('PATCH', path, { status: 'closed' })).body).toMatchObject({ status: 'closed' })
  const thread = (await ann.call('GET', `${path}/messages`)).body.items
  expect(thread.at(-1)).toMatchObject({ direction: 'note', cause: { kind: 'api', id: narrow.id } })
})
