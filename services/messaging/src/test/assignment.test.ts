import { noAssignment } from '@parley/contracts/inbox/assignment'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownedBy } from '../modules/inbox/conversations/ownership.ts'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/assignment'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let bob: typeof ann
let phones = 919_812_350_000
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
})
afterAll(() => parley.stop())

const setting = async (mode: string, members: string[]) => {
  const { body } = await ann.call('GET', path)
  return ann.call('PUT', path, { mode, members, version: body.version })
}
/** Customers who write one after the other. */
async function customers(count: number): Promise<Conversation[]> {
  const found: Conversation[] = []
  for (let index = 0; index < count; index += 1) {
    const from = String(++phones)
    await parley.simulator.call('/inbound', { from, name: from, type: 'text', text: { body: 'Hi' } })
    found.push(
      await eventually(async () => {
        const { body } = await ann.call('GET', `/api/conversations?q=${from}`)
        expect(body.items).toHaveLength(1)
        return body.items[0]
      }),
    )
  }
  return found
}
const ownersOf = async (conversations: readonly Conversation[]) =>
  Promise.all(conversations.map(async ({ id }) => (await ann.call('GET', `/api/conversations/${id}`)).body.owner.id))

test('it is off at first, and nobody is given anything', async () => {
  expect((await ann.call('GET', path)).body).toEqual(noAssignment)
  const [conversation] = await customers(1)
  expect(conversation?.owner.kind).toBe('nobody')
  // Otherwise its event may be read when assignment is on already.
  await ann.call('PATCH', `/api/conversations/${conversation?.id}`, { status: 'closed' })
  expect((await setting('round_robin', [])).body.fields).toHaveProperty('members')
})

test('in turn: each member gets the next one, and the thread says how', async () => {
  expect((await setting('round_robin', [ann.userId, bob.userId])).status).toBe(200)
  const conversations: Conversation[] = []
  for (const expected of [ann, bob, ann]) {
    const [conversation] = await customers(1)
    if (conversation) conversations.push(conversation)
    await eventually(async () => expect((await ownersOf(conversations)).at(-1)).toBe(expected.userId))
  }
  const { body } = await ann.call('GET', `/api/conversations/${conversations[0]?.id}/messages`)
  expect(body.items.at(-1)).toMatchObject({
    cause: { kind: 'system', id: 'assignment' },
    content: { type: 'system', activity: { kind: 'assigned', member: ann.userId } },
  })
})

test('by load: whoever has fewest open conversations gets the next one', async () => {
  await setting('least_busy', [ann.userId, bob.userId])
  const conversations = await customers(3)
  await eventually(async () => expect((await ownersOf(conversations)).every(Boolean)).toBe(true))
  const counts = await Promise.all(
    [ann, bob].map(async (by) => (await by.call('GET', '/api/conversations/summary')).body.views.mine),
  )
  expect(counts).toEqual([3, 3])
})

test('what somebody owns stays with them', async () => {
  await setting('off', [])
  const [heldByAnn] = await customers(1)
  const [other] = await customers(1)
  if (!heldByAnn || !other) throw new Error('nobody has written')
  await ann.call('PATCH', `/api/conversations/${heldByAnn.id}`, { owner: { kind: 'member', id: ann.userId } })
  await setting('round_robin', [bob.userId])
  const writes = ({ contact }: Conversation) =>
    parley.simulator.call('/inbound', { from: contact.phone?.slice(1), type: 'text', text: { body: 'More' } })
  await writes(heldByAnn)
  await writes(other)
  await eventually(async () => expect(await ownersOf([heldByAnn, other])).toEqual([ann.userId, bob.userId]))
})

test('where a bot answers it comes first: a member gets what it passes on, and what it leaves for a minute', async () => {
  const { scope, services, number } = parley
  const stored = async ({ id }: { id: string }) => services.conversations.read(scope, id)
  const setState = (active: boolean, routingVersion: number) =>
    services.setAutomationState(scope, { active, numberIds: [number.id], routingVersion })
  await setState(true, 2)
  // A late call does not undo a newer one.
  await setState(false, 1)
  await setting('round_robin', [ann.userId])
  const [passed, left, taken] = await customers(3)
  if (!passed || !left || !taken) throw new Error('nobody has written')
  for (const conversation of [passed, left, taken])
    await eventually(async () =>
      expect((await stored(conversation)).assignment?.at.getTime()).toBeGreaterThan(Date.now()),
    )
  expect(await ownersOf([passed, left, taken])).toEqual([undefined, undefined, undefined])
  const { set, unset } = ownedBy(await stored(taken), { kind: 'bot', id: 'b'.repeat(24) }, 'automation', new Date())
  const records = parley.database.connection.collection('conversations')
  await records.updateOne({ _id: new Types.ObjectId(taken.id) }, { $set: set, $unset: unset })

  await services.assignment.releaseToAssignment(scope, [passed.id, taken.id])
  await eventually(async () => expect(await ownersOf([passed])).toEqual([ann.userId]))
  // A minute later.
  await records.updateOne({ _id: new Types.ObjectId(left.id) }, { $set: { 'assignment.at': new Date() } })
  await eventually(async () => expect(await ownersOf([left])).toEqual([ann.userId]))
  expect(await stored(taken)).toMatchObject({ owner: { kind: 'bot' } })
  for (const conversation of [passed, left, taken]) expect(await stored(conversation)).not.toHaveProperty('assignment')
  await expectIndexed(parley.database.connection, () => services.assignment.due())
  await setState(false, 3)
})

test('two who change it do not overwrite each other; it is for those who may change the workspace', async () => {
  const { body } = await ann.call('GET', path)
  const answers = await Promise.all(
    ['off', 'least_busy'].map((mode) => ann.call('PUT', path, { ...body, mode, members: [bob.userId] })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await bob.call('PUT', path, body)).status).toBe(403)
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await eve.call('GET', path)).body).toEqual(noAssignment)
  await expectIndexed(parley.database.connection, () => ann.call('GET', path))
})

test('who is no member takes no part: strangers, members of another workspace, those who have left', async () => {
  const members = await parley.members()
  const elsewhere = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const gone = parley.signIn()
  await members.join(elsewhere, 'Eve Elsewhere')
  await members.join(gone, 'Gina Gone', 'removed')
  const before = (await ann.call('GET', path)).body
  for (const id of [elsewhere.userId, gone.userId, 'f'.repeat(24), 'somebody']) {
    const { status, body } = await setting('round_robin', [bob.userId, id])
    expect([status, body.code], id).toEqual([400, 'validation_failed'])
    expect(body.fields.members).toContain('not a member of the workspace')
  }
  expect((await ann.call('GET', path)).body).toEqual(before)
})
