import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { listen } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let bob: typeof ann
let worker: ReturnType<typeof parley.signInProcess>
let write: ReturnType<typeof withChats>['write']
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  worker = parley.signInProcess('profile-worker')
  write = withChats(parley, ann).write
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
})
afterAll(() => parley.stop())

let version = 0
const changed = (status: 'active' | 'removed', more: { userId?: string; id?: string } = {}) => {
  version += 1
  return {
    id: more.id ?? new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    by: { kind: 'user', id: ann.userId },
    type: 'member.changed',
    data: { memberId: 'a'.repeat(24), userId: more.userId ?? bob.userId, role: 'agent', status, version },
  }
}
const tell = (...messages: object[]) => worker.call('POST', '/internal/inbox', { messages })
const read = ({ id }: { id: string }) => ann.ask('GET', pathOf({ id }))
const give = ({ id }: Conversation, changes: object = {}) =>
  ann.ask('PATCH', pathOf({ id }), { owner: { kind: 'member', id: bob.userId }, ...changes })

test('who is removed hands back open and snoozed conversations, each with one line, and takes no part in assignment', async () => {
  const mine = await write('919812370001', 'Asha', 'Hi')
  const [open, snoozed, kept] = [
    mine,
    await write('919812370002', 'Ravi', 'Hi'),
    await write('919812370003', 'Mina', 'Hi'),
  ]
  await give(open)
  await give(snoozed, { status: 'snoozed', snoozedUntil: new Date(Date.now() + 3_600_000).toISOString() })
  await ann.ask('PATCH', pathOf(kept), { owner: { kind: 'member', id: ann.userId } })
  const path = '/api/workspace/assignment'
  await ann.ask('PUT', path, { mode: 'round_robin', members: [ann.userId, bob.userId], version: 0 })

  expect((await tell(changed('removed'))).status).toBe(204)
  expect((await ann.ask('GET', path)).members).toEqual([ann.userId])
  for (const conversation of [open, snoozed])
    await eventually(async () => expect((await read(conversation)).owner.id).not.toBe(bob.userId))
  expect((await read(kept)).owner.id).toBe(ann.userId)
  const { items } = await ann.ask('GET', `${pathOf(snoozed)}/messages`)
  const lines = items.filter(
    ({ content }: { content: { activity?: { kind: string } } }) => content.activity?.kind === 'unassigned',
  )
  expect(lines).toMatchObject([{ cause: { kind: 'member', id: ann.userId } }])
})

test('a message that comes again has no second effect, and pages are told of each change once', async () => {
  const page = await listen(ann)
  const [first, second] = [changed('active'), changed('active')]
  expect((await tell(first)).status).toBe(204)
  expect((await tell(first, second)).status).toBe(204)
  const changes = () => page.records().filter(({ type }) => type === 'member.changed')
  await eventually(() => expect(changes()).toMatchObject([{ data: first.data }, { data: second.data }]))
})

test('who is back before their conversations were looked through keeps them', async () => {
  const conversation = await write('919812370004', 'Tara', 'Hi')
  await tell(changed('removed'), changed('active'))
  await give(conversation)
  await tell(changed('active'))
  expect((await read(conversation)).owner.id).toBe(bob.userId)
})

test('a key that will end is told of once, to those who may replace it', async () => {
  const ending = {
    id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    by: { kind: 'system' },
    type: 'apiKey.ending',
    data: { keyId: 'k0000000000a', name: 'Shop', expiresAt: '2030-01-08T00:00:00.000Z', days: 7 },
  }
  const again = { ...ending, id: new Types.ObjectId().toHexString() }
  expect((await tell(ending, ending, again)).status).toBe(204)
  const seen = async (by: typeof ann) =>
    (await by.ask('GET', '/api/notifications')).items.filter(
      ({ category }: { category: string }) => category === 'api_key',
    )
  expect(await seen(ann)).toMatchObject([
    { title: 'Shop expires in 7 days', object: { kind: 'api_key', id: 'k0000000000a' } },
  ])
  expect(await seen(parley.signIn({ role: 'admin' }))).toHaveLength(1)
  expect(await seen(bob)).toEqual([])
})

test('keys that a member has left behind are told of once, to those who may revoke them', async () => {
  const keys = ['ERP', 'Shop', 'Desk', 'Till'].map((name, index) => ({ id: `k0000000001${index}`, name }))
  const left = changed('removed')
  const told = { ...left, data: { ...left.data, keys } }
  expect((await tell(told)).status).toBe(204)
  expect((await tell({ ...told, id: new Types.ObjectId().toHexString() })).status).toBe(204)
  const seen = async (by: typeof ann) =>
    (await by.ask('GET', '/api/notifications')).items.filter(({ title }: { title: string }) => /made/.test(title))
  expect(await seen(ann)).toMatchObject([
    { category: 'api_key', object: { kind: 'api_key', id: 'k00000000010' }, body: /ERP, Shop, Desk and 1 other/ },
  ])
  expect(await seen(bob)).toEqual([])
})

test('the inbox is for the worker of profile alone, about the workspace that its token names', async () => {
  const messages = [changed('active')]
  expect((await parley.signInProcess('profile').call('POST', '/internal/inbox', { messages })).status).toBe(403)
  expect(
    (await parley.signInProcess('profile-worker', null).call('POST', '/internal/inbox', { messages })).status,
  ).toBe(403)
  expect((await ann.call('POST', '/internal/inbox', { messages })).status).toBe(401)
  expect((await tell({ ...changed('active'), type: 'other' })).status).toBe(400)
})

test('profile is told what the plan allows', async () => {
  const profile = parley.signInProcess('profile')
  expect(await profile.ask('GET', '/internal/plan-limits')).toEqual({ teamMembers: 10, ended: false })
  expect((await worker.call('GET', '/internal/plan-limits')).status).toBe(403)
})

test('looking through conversations has its indexes', async () => {
  await expectIndexed(parley.database.connection, () => tell(changed('removed')))
})

test('a workspace of a person who has had their trial begins without one', async () => {
  const other = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await other.ask('GET', '/api/usage')).toMatchObject({ ended: false })
  const message = {
    id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    by: { kind: 'user', id: other.userId },
    type: 'workspace.created',
    data: { trial: false },
  }
  const asWorker = parley.signInProcess('profile-worker', other.workspaceId)
  for (let times = 0; times < 2; times += 1)
    expect((await asWorker.call('POST', '/internal/inbox', { messages: [message] })).status).toBe(204)
  expect(await other.ask('GET', '/api/usage')).toMatchObject({ ended: true, plan: 'Free Trial' })
  await parley.services.applyPlan({ workspaceId: other.workspaceId }, { plan: 'starter', source: 'operator' })
  expect(await other.ask('GET', '/api/usage')).toMatchObject({ ended: false })
})
