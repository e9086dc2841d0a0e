import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newcomer>
const colleague = (of: Person, role: 'admin' | 'agent' | 'viewer') =>
  parley.signIn({ role, workspaceId: of.workspaceId })
const inboxView = (name: string, query: object = { show: 'unread' }, shared = false) => ({
  name,
  query,
  shared,
  screen: 'conversations',
})
const contactView = (name: string, query: object, shared = false) => ({ name, query, shared, screen: 'contacts' })
const save = (by: Person, view: object) => by.call('POST', '/api/views', view)
const change = (by: Person, id: string, view: object) => by.call('PATCH', `/api/views/${id}`, view)
const remove = (by: Person, id: string) => by.call('DELETE', `/api/views/${id}`)
const listed = async (by: Person, screen = 'conversations') =>
  (await by.call('GET', `/api/views?screen=${screen}`)).body.items
const names = async (by: Person, screen?: string): Promise<string[]> =>
  (await listed(by, screen)).map(({ name }: { name: string }) => name)

test('a view is its owner’s, a shared one everybody’s, and no other workspace’s', async () => {
  const ann = newcomer()
  const viewer = colleague(ann, 'viewer')
  const ownView = await save(ann, inboxView('Mine today', { show: 'mine', sort: 'waiting' }))
  expect(ownView).toMatchObject({ status: 201, body: { name: 'Mine today', shared: false, version: 1 } })
  const shared = await save(ann, inboxView('VIP', { tag: 'vip' }, true))
  await save(viewer, inboxView('mine TODAY'))
  expect(await names(ann)).toEqual(['VIP', 'Mine today'])
  expect(await names(viewer)).toEqual(['VIP', 'mine TODAY'])
  expect(await names(ann, 'contacts')).toEqual([])
  for (const by of [viewer, newcomer()]) {
    expect((await change(by, ownView.body.id, { ...inboxView('Taken'), version: 1 })).status).toBe(404)
    expect((await remove(by, ownView.body.id)).status).toBe(404)
  }
  const stranger = newcomer()
  expect(await listed(stranger)).toEqual([])
  expect((await remove(stranger, shared.body.id)).status).toBe(404)
})

test('to share takes the permission to save segments', async () => {
  const ann = newcomer()
  const agent = colleague(ann, 'agent')
  expect(await save(agent, inboxView('Ours', {}, true))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const ownView = (await save(agent, inboxView('Ours'))).body
  expect((await change(agent, ownView.id, { ...inboxView('Ours', {}, true), version: 1 })).status).toBe(403)
  const shared = (await save(colleague(ann, 'admin'), inboxView('Team', {}, true))).body
  expect((await change(agent, shared.id, { ...inboxView('Team'), version: 1 })).status).toBe(403)
  expect((await remove(agent, shared.id)).status).toBe(403)
  // Making a shared view private takes it from the others.
  expect((await change(ann, shared.id, { ...inboxView('Team'), version: 1 })).body).toMatchObject({ shared: false })
  expect(await names(agent)).toEqual(['Ours'])
})

test('a view is changed as it was seen, keeps its list, and its name is free', async () => {
  const ann = newcomer()
  const query = { segment: 'vip', tags: ['b2b', 'news'], columns: ['phone', 'attributes.Plan'], sort: 'name' }
  const { body: view } = await save(ann, contactView('Business', query))
  expect(view).toMatchObject({ query })
  const renamed = { ...contactView('B2B', query), version: 1 }
  expect((await change(ann, view.id, renamed)).body).toMatchObject({ name: 'B2B', version: 2 })
  expect(await change(ann, view.id, renamed)).toMatchObject({
    status: 409,
    body: { code: 'stale_version', current: { name: 'B2B', version: 2 } },
  })
  expect((await change(ann, view.id, { ...inboxView('B2B'), version: 2 })).status).toBe(400)
  expect(await save(ann, contactView(' b2B ', {}))).toMatchObject({
    status: 409,
    body: { code: 'view_exists', fields: { name: expect.any(String) } },
  })
  expect((await save(ann, inboxView('B2B'))).status).toBe(201)
  expect((await remove(ann, view.id)).status).toBe(204)
  expect((await remove(ann, view.id)).status).toBe(404)
  expect(await listed(ann, 'contacts')).toEqual([])
})

test.each([
  ['no name', inboxView('  ')],
  ['another list’s filters', inboxView('A', { columns: ['phone'] })],
  ['an unknown order', inboxView('A', { sort: 'loudest' })],
  [
    'a condition that contacts cannot have',
    contactView('A', {
      conditions: { match: 'all', conditions: [{ field: 'shoe', comparison: 'equals', value: '38' }] },
    }),
  ],
  ['an operator of the database', inboxView('A', { owner: { $gt: '' } })],
])('%s is refused', async (_what, view) => {
  const ann = newcomer()
  expect(await save(ann, view)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('a list has fifty views of a person, and fifty of the workspace', async () => {
  const ann = newcomer()
  for (let at = 1; at <= 49; at += 1) expect((await save(ann, inboxView(`View ${at}`))).status).toBe(201)
  expect((await save(ann, inboxView('View 50'))).status).toBe(201)
  expect(await save(ann, inboxView('View 51'))).toMatchObject({ status: 409, body: { code: 'too_many_views' } })
  expect((await save(ann, inboxView('View 51', {}, true))).status).toBe(201)
})

test('a renamed tag has its new name in every view, and its old one after the undo', async () => {
  const ann = newcomer()
  const viewer = colleague(ann, 'viewer')
  const fields = { name: 'A', phone: '+919876543210', tags: ['b2b'], attributes: {} }
  await parley.services.contactChanges.create(ann, fields)
  const tagged = { field: 'tags', comparison: 'contains', value: 'b2b' }
  const conditions = { match: 'any', conditions: [tagged] }
  await save(viewer, inboxView('Business', { tag: 'b2b' }))
  await save(ann, contactView('Two', { tags: ['business', 'b2b'], conditions }, true))
  await save(ann, contactView('Other', { tags: ['other'] }))
  const ended = async (path: string, body?: object) => {
    const { id } = (await ann.call('POST', path, body)).body
    await vi.waitFor(async () => {
      const { items } = (await ann.call('GET', '/api/contact-jobs')).body
      expect(items.find((one: { id: string }) => one.id === id)).toMatchObject({ state: 'done' })
    })
    return id as string
  }
  const job = await ended('/api/tags/rename', { tag: 'b2b', to: 'business' })
  expect((await listed(viewer))[0]).toMatchObject({ query: { tag: 'business' }, version: 2 })
  const [two, other] = await listed(ann, 'contacts')
  expect(two.query).toEqual({
    tags: ['business'],
    conditions: { match: 'any', conditions: [{ ...tagged, value: 'business' }] },
  })
  expect(other).toMatchObject({ version: 1 })
  await ended(`/api/contact-jobs/${job}/undo`)
  expect((await listed(viewer))[0]).toMatchObject({ query: { tag: 'b2b' } })
})

test('views are read by an index', async () => {
  const ann = newcomer()
  await save(ann, inboxView('Mine'))
  await expectIndexed(parley.database.connection, () => listed(ann))
})
