import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { maxViews } from '@parley/contracts/inbox/views'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, sendWebhook } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 120_000 })

const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
const now = String(Math.floor(Date.now() / 1000))

test('whoever has an odd name, number or id is in every list, with what they wrote', async () => {
  const text = { type: 'text', text: { body: 'Hello' }, timestamp: now }
  const people = [
    { from: '919822000001', profile: { name: '  ' } },
    { from: '919822000002', profile: { name: 'x'.repeat(121) } },
    { from: '919822000003', profile: { name: 'Mira', username: 'm'.repeat(36) } },
    { from: '54321', profile: { name: 'Five digits' } },
    { from: '98220000049822000', profile: { name: 'Seventeen digits' } },
    { from_user_id: `IN.${'7'.repeat(150)}`, profile: { name: 'A long id' } },
  ]
  const changes = people.map(({ profile, ...sender }, at) => ({
    field: 'messages',
    value: { ...headOf(parley), contacts: [{ profile }], messages: [{ id: `wamid.odd.${at}`, ...sender, ...text }] },
  }))
  await sendWebhook(parley, ...changes)
  const ann = parley.signIn()
  await eventually(async () => {
    const contacts = contactsApi.list.response.parse(await ann.ask('GET', '/api/contacts?limit=100'))
    expect(contacts.items).toHaveLength(people.length)
    expect(contacts).not.toHaveProperty('leftOut')
  })
  const items = await eventually(async () => {
    const page = conversationsApi.list.response.parse(await ann.ask('GET', '/api/conversations'))
    expect(page).not.toHaveProperty('leftOut')
    expect(page.items.map(({ lastMessage }) => lastMessage?.text)).toEqual(people.map(() => 'Hello'))
    return page.items
  })
  for (const { id } of items) expect((await ann.ask('GET', `/api/conversations/${id}/messages`)).items).toHaveLength(1)
})

test('a contact that cannot be told leaves the list standing, which says that one is missing', async () => {
  const ann = newcomer()
  const add = (name: string, phone: string) => ann.ask('POST', '/api/contacts', { name, phone })
  const odd = await add('Odd', '+919822100001')
  await add('Even', '+919822100002')
  const stored = { _id: new Types.ObjectId(odd.id) }
  await parley.database.connection.collection('contacts').updateOne(stored, { $set: { username: 'x'.repeat(80) } })
  const page = await ann.ask('GET', '/api/contacts')
  expect(page.items.map(({ name }: { name: string }) => name)).toEqual(['Even'])
  expect(page).toMatchObject({ leftOut: 1, total: 2 })
  const metrics = await (await fetch(`${parley.server.url}/metrics`)).text()
  expect(metrics).toMatch(/^records_left_out_total\{.*operation="contacts.list".*\} [1-9]/m)
})

test('a draft for nobody is refused and leaves nothing behind', async () => {
  const ann = newcomer()
  const audience = { kind: 'contacts', contactIds: ['0'] }
  const refused = await ann.call('POST', '/api/campaigns', { name: 'Tea', audience, variables: {} })
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', fields: { audience: expect.any(String) } },
  })
  expect(await ann.ask('GET', '/api/campaigns')).toMatchObject({ items: [], total: 0 })
})

test.each([
  ['POST', '/api/campaigns', { name: 'Tea', variables: {}, schedule: { date: '9999-12-31', time: '23:59' } }],
  ['POST', '/api/contacts', { name: 'Mira', phone: '+919822200001', attributes: { 'a\0b': 'x' } }],
  ['POST', '/api/contacts', { name: 'Mi\0ra', phone: '+919822200001' }],
  [
    'POST',
    '/api/workspace/rate-cards',
    { effectiveFrom: '9999-12-31', currency: 'EUR', rates: [{ country: 'IN', category: 'marketing', priceMicros: 1 }] },
  ],
] as const)('%s %s with %j is refused in words', async (method, path, body) => {
  const answer = await newcomer().call(method, path, body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('a template that is kept as a draft takes the warnings that somebody has read', async () => {
  const fields = {
    name: 'odd_draft',
    language: 'en',
    category: 'utility',
    body: 'Hi',
    footer: '',
    buttons: [],
    examples: {},
  }
  const answer = await parley.signIn().call('POST', '/api/templates', { ...fields, review: false, accepted: [] })
  expect([answer.status, answer.body.status]).toEqual([201, 'draft'])
})

test('of several who add at once no more are taken than there is room for', async () => {
  const ann = newcomer()
  const add = (at: number) =>
    ann.call('POST', '/api/views', { name: `View ${at}`, query: {}, shared: false, screen: 'conversations' })
  for (let at = 0; at < maxViews - 2; at += 1) expect((await add(at)).status).toBe(201)
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => add(maxViews + at)))
  const taken = answers.filter(({ status }) => status === 201)
  expect(taken.length).toBeLessThanOrEqual(2)
  expect((await ann.ask('GET', '/api/views?screen=conversations')).items).toHaveLength(maxViews - 2 + taken.length)
})
