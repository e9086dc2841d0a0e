import { noResponseTarget } from '@parley/contracts/inbox/response-target'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/response-target'
let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  // Open at all hours: when the test runs does not matter.
  await ann.ask('PUT', '/api/workspace/opening-hours', { timeZone: 'UTC', spans: [], closedOn: [], version: 0 })
})
afterAll(() => parley.stop())

const conversation = (id: string) => ann.ask('GET', `/api/conversations/${id}`)
const answers = () => parley.database.connection.collection('answers')
const answer = (id: string, cause: { kind: 'member' | 'bot'; id: string }) =>
  parley.services.outgoing.send(parley.scope, id, { content: { type: 'text', text: 'Hello' }, cause })
const told = async (person: typeof ann) =>
  (await person.ask('GET', '/api/notifications')).items.filter(
    ({ category }: { category: string }) => category === 'team',
  )
/** Lets the time of a conversation's answer pass, or be near. */
async function letPass(id: string, dueAt = new Date(Date.now() - 60_000)): Promise<void> {
  const past = new Date(Date.now() - 60_000)
  const of = { ...parley.inWorkspace, conversationId: new Types.ObjectId(id), open: true }
  await eventually(async () => expect(await answers().findOne(of)).toMatchObject({ watch: { step: 'near' } }))
  await answers().updateOne(of, { $set: { dueAt, 'watch.at': past } })
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: { dueAt } })
}

test('a target is a workspace’s own, changed by those who may, and never over somebody else’s change', async () => {
  const other = { workspaceId: new Types.ObjectId().toHexString() }
  const [bob, cleo, agent] = [parley.signIn(other), parley.signIn(other), parley.signIn({ ...other, role: 'agent' })]
  expect(await agent.ask('GET', path)).toEqual(noResponseTarget)
  const target = { firstMinutes: 30, nextMinutes: null }
  expect((await agent.call('PUT', path, { ...target, version: 0 })).status).toBe(403)
  const both = await Promise.all([bob, cleo].map((member) => member.call('PUT', path, { ...target, version: 0 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await bob.ask('PUT', path, { firstMinutes: null, nextMinutes: 5, version: 1 })).toEqual({
    firstMinutes: null,
    nextMinutes: 5,
    version: 2,
  })
  for (const wrong of [0, 1.5, 10_081])
    expect((await bob.call('PUT', path, { ...target, firstMinutes: wrong, version: 2 })).status).toBe(400)
  expect(await ann.ask('GET', path)).toEqual(noResponseTarget)
})

test('without a target nothing is due; with one the first and each further answer is, and a person’s answer ends it', async () => {
  const { write } = withChats(parley, ann)
  const before = await write('919861990001', 'Early', 'Hello?')
  await eventually(async () => expect(await answers().countDocuments({ ...parley.inWorkspace, open: true })).toBe(1))
  await ann.ask('PUT', path, { firstMinutes: 30, nextMinutes: 10, version: 0 })
  const asha = await write('919861990002', 'Asha', 'Do you deliver?')
  const first = await eventually(async () => {
    const shown = await conversation(asha.id)
    expect(shown.dueAt).toBeDefined()
    return shown
  })
  expect(Date.parse(first.dueAt) - Date.parse(first.waitingSince)).toBe(30 * 60_000)
  expect((await conversation(before.id)).dueAt).toBeUndefined()
  await answer(asha.id, { kind: 'member', id: ann.userId })
  const answered = await conversation(asha.id)
  expect([answered.dueAt, answered.waitingSince]).toEqual([undefined, undefined])
  const of = { ...parley.inWorkspace, conversationId: new Types.ObjectId(asha.id) }
  await eventually(async () =>
    expect(await answers().findOne(of)).toMatchObject({
      first: true,
      by: { id: ann.userId },
      openSeconds: expect.any(Number),
    }),
  )
  await write('919861990002', 'Asha', 'And on Sundays?')
  const next = await eventually(async () => {
    const shown = await conversation(asha.id)
    expect(shown.dueAt).toBeDefined()
    return shown
  })
  expect(Date.parse(next.dueAt) - Date.parse(next.waitingSince)).toBe(10 * 60_000)
  await ann.ask('PATCH', `/api/conversations/${asha.id}`, { status: 'closed' })
  expect((await conversation(asha.id)).dueAt).toBeUndefined()
})

test('lists show what is due first and what is overdue, by an index', async () => {
  const { write } = withChats(parley, ann)
  const [ravi, mina] = [
    await write('919861990003', 'Ravi', 'Is it in stock?'),
    await write('919861990004', 'Mina', 'Where are you?'),
  ]
  for (const { id } of [ravi, mina]) await letPass(id)
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(mina.id) }, { $set: { dueAt: new Date(Date.now() - 3_600_000) } })
  const ids = async (query: string): Promise<string[]> =>
    (await ann.ask('GET', `/api/conversations?${query}`)).items.map(({ id }: { id: string }) => id)
  expect(await ids('due=overdue&sort=due')).toEqual([mina.id, ravi.id])
  expect((await ids('due=overdue')).toSorted()).toEqual([mina.id, ravi.id].toSorted())
  expect(await ids('due=overdue&q=Mina')).toEqual([mina.id])
  await expectIndexed(parley.database.connection, () => ids('due=overdue&sort=due'))
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.ask('GET', '/api/conversations?due=overdue')).items).toEqual([])
})

test('a missed target is told once: to the owner and who runs the workspace, or to all where nobody has it', async () => {
  const { write } = withChats(parley, ann)
  const bob = parley.signIn({ role: 'agent' })
  const viewer = parley.signIn({ role: 'viewer' })
  const [alone, owned] = [
    await write('919861990005', 'Nobody’s', 'Anyone?'),
    await write('919861990006', 'Bob’s', 'Bob?'),
  ]
  await bob.ask('PATCH', `/api/conversations/${owned.id}`, { owner: { kind: 'member' } })
  for (const { id } of [alone, owned]) await letPass(id)
  const about = async (person: typeof ann, id: string) =>
    (await told(person)).filter(({ object }: { object: { id: string } }) => object.id === id).length
  await eventually(async () => expect(await about(bob, owned.id)).toBe(1))
  await eventually(async () => expect(await about(ann, alone.id)).toBe(1))
  expect([await about(bob, alone.id), await about(ann, owned.id), await about(viewer, alone.id)]).toEqual([1, 0, 0])
  const admins = async (person: typeof ann) =>
    (await person.ask('GET', '/api/notifications')).items
      .filter(({ category }: { category: string }) => category === 'target')
      .map(({ object }: { object: { id: string } }) => object.id)
  expect([await admins(ann), await admins(bob)]).toEqual([[owned.id], []])
  // Another look finds nothing to do.
  const { due, perform } = parley.services.responseTargets
  for (const record of await due()) await perform(record)
  expect(await about(ann, alone.id)).toBe(1)
  await answer(alone.id, { kind: 'member', id: bob.userId })
  const of = { ...parley.inWorkspace, conversationId: new Types.ObjectId(alone.id) }
  await eventually(async () =>
    expect(await answers().findOne(of)).toMatchObject({ late: true, by: { id: bob.userId } }),
  )
  const day = new Date().toISOString().slice(0, 10)
  expect(await parley.services.recountFigures(parley.scope, { day })).toEqual([])
})

test('the member is reminded once most of the time is over, and nobody else', async () => {
  const { write } = withChats(parley, ann)
  const bob = parley.signIn({ role: 'agent' })
  const [alone, owned] = [
    await write('919861990007', 'Nobody’s', 'Anyone?'),
    await write('919861990008', 'Bob’s', 'Bob?'),
  ]
  await bob.ask('PATCH', `/api/conversations/${owned.id}`, { owner: { kind: 'member' } })
  const { since, dueAt, watch } = await eventually(async () => {
    const of = { ...parley.inWorkspace, conversationId: new Types.ObjectId(owned.id), open: true }
    const found = await answers().findOne(of)
    expect(found).toMatchObject({ watch: { step: 'near' } })
    return found as never as { since: Date; dueAt: Date; watch: { at: Date } }
  })
  expect((watch.at.getTime() - since.getTime()) / (dueAt.getTime() - since.getTime())).toBeCloseTo(0.8, 2)
  const soon = new Date(Date.now() + 600_000)
  for (const { id } of [alone, owned]) await letPass(id, soon)
  const about = async (person: typeof ann, id: string) =>
    (await told(person)).filter(({ object }: { object: { id: string } }) => object.id === id)
  await eventually(async () =>
    expect(await about(bob, owned.id)).toMatchObject([{ title: 'Bob’s waits for your answer', severity: 'info' }]),
  )
  for (const { id } of [alone, owned]) {
    const of = { ...parley.inWorkspace, conversationId: new Types.ObjectId(id), open: true }
    await eventually(async () =>
      expect(await answers().findOne(of)).toMatchObject({ watch: { step: 'due', at: soon } }),
    )
  }
  expect([await about(ann, owned.id), await about(ann, alone.id), await about(bob, alone.id)]).toEqual([[], [], []])
})
