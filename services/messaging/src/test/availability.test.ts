import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { listen } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/availability'
const rulePath = '/api/workspace/assignment'
let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let bob: typeof ann
let write: ReturnType<typeof withChats>['write']
let phones = 919_812_480_000
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  write = withChats(parley, ann).write
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
})
afterAll(() => parley.stop())

const setRule = async (changes: object) => {
  const rule = await ann.ask('GET', rulePath)
  return ann.ask('PUT', rulePath, { ...rule, ...changes })
}
const say = (who: typeof ann, state: 'available' | 'away', until: string | null = null) =>
  who.ask('PUT', path, { state, until })
const customer = () => write(String(++phones), `Customer ${phones}`, 'Hi')
const ownerOf = async ({ id }: { id: string }) => (await ann.ask('GET', pathOf({ id }))).owner.id
const close = ({ id }: { id: string }) => ann.ask('PATCH', pathOf({ id }), { status: 'closed' })
const stateOf = async ({ id }: { id: string }) =>
  (await parley.services.conversations.read(parley.scope, id)).assignment?.state
const isQueued = (conversation: Conversation) =>
  eventually(async () => expect(await stateOf(conversation)).toBe('queued'))
const isOf = (conversation: Conversation, who: typeof ann) =>
  eventually(async () => expect(await ownerOf(conversation)).toBe(who.userId))

test('each says for themselves whether they are there, colleagues see it at once, other workspaces never', async () => {
  const page = await listen(ann)
  expect(await ann.ask('GET', path)).toEqual({ away: [] })
  expect(await say(bob, 'away')).toEqual({ state: 'away', until: null })
  expect(await ann.ask('GET', path)).toMatchObject({ away: [{ userId: bob.userId, until: null }] })
  await eventually(() =>
    expect(page.records()).toContainEqual(
      expect.objectContaining({ type: 'availability.changed', data: { userId: bob.userId } }),
    ),
  )
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await eve.ask('GET', path)).toEqual({ away: [] })
  expect((await parley.signIn({ role: 'viewer' }).call('PUT', path, { state: 'away' })).status).toBe(403)
  for (const until of [new Date(Date.now() - 1000), new Date(Date.now() + 31 * 86_400_000)])
    expect((await bob.call('PUT', path, { state: 'away', until })).body.fields).toHaveProperty('until')
  // Two tabs at once.
  await Promise.all(Array.from({ length: 5 }, () => say(bob, 'away')))
  expect((await ann.ask('GET', path)).away).toHaveLength(1)
  await expectIndexed(parley.database.connection, () => ann.ask('GET', path))
  await say(bob, 'available')
  expect(await ann.ask('GET', path)).toEqual({ away: [] })
})

test('who is away is given nothing, and the one that waits longest once they are back', async () => {
  await setRule({ mode: 'round_robin', members: [bob.userId] })
  await say(bob, 'away')
  const [first, second] = [await customer(), await customer()]
  await isQueued(first)
  await isQueued(second)
  await setRule({ limit: 1 })
  expect([await ownerOf(first), await ownerOf(second)]).toEqual([undefined, undefined])
  await say(bob, 'available')
  await isOf(first, bob)
  expect(await ownerOf(second)).toBeUndefined()
  // A conversation that is closed makes room for the next one.
  await close(first)
  await isOf(second, bob)
  expect(await stateOf(second)).toBeUndefined()
  await close(second)
})

test('a limit that is raised, and one of their own, count at once', async () => {
  await setRule({ limit: 1, members: [ann.userId, bob.userId] })
  const all = [await customer(), await customer(), await customer(), await customer()]
  const waiting = all.slice(2)
  for (const conversation of waiting) await isQueued(conversation)
  await setRule({ limits: [{ userId: bob.userId, limit: 2 }] })
  await isOf(waiting[0] as Conversation, bob)
  expect(await ownerOf(waiting[1] as Conversation)).toBeUndefined()
  await setRule({ limit: 2 })
  await isOf(waiting[1] as Conversation, ann)
  for (const conversation of all) await close(conversation)
  expect((await ann.call('PUT', rulePath, { mode: 'off', members: [], limit: 0, version: 1 })).status).toBe(400)
})

test('somebody may take what waits, and what they put off is no longer theirs to answer', async () => {
  await setRule({ limit: 1, limits: [], members: [bob.userId] })
  const [held, taken, next] = [await customer(), await customer(), await customer()]
  await isOf(held, bob)
  await isQueued(taken)
  await isQueued(next)
  await ann.ask('PATCH', pathOf(taken), { owner: { kind: 'member', id: ann.userId } })
  expect(await stateOf(taken)).toBeUndefined()
  const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
  await ann.ask('PATCH', pathOf(held), { status: 'snoozed', snoozedUntil })
  await isOf(next, bob)
  expect(await ownerOf(taken)).toBe(ann.userId)
  for (const conversation of [held, taken, next]) await close(conversation)
})

test('what wakes up for somebody who is away goes to the queue, and stays with who is there', async () => {
  await setRule({ limit: null, limits: [], members: [ann.userId] })
  await say(ann, 'away')
  const snooze = async () => {
    const conversation = await customer()
    await ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: bob.userId } })
    const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
    await ann.ask('PATCH', pathOf(conversation), { status: 'snoozed', snoozedUntil })
    return conversation
  }
  const writeAgain = ({ contact }: Conversation) => write(String(contact.phone).slice(1), contact.name, 'Hello?')
  const stays = await snooze()
  expect((await writeAgain(stays)).status).toBe('open')
  const [written, timed] = [await snooze(), await snooze()]
  await say(bob, 'away')
  await writeAgain(written)
  await isQueued(written)
  const { items } = await ann.ask('GET', `${pathOf(written)}/messages`)
  expect(items).toContainEqual(
    expect.objectContaining({
      cause: { kind: 'system', id: 'assignment' },
      content: expect.objectContaining({ activity: { kind: 'unassigned' } }),
    }),
  )
  // An hour later.
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(timed.id) }, { $set: { snoozedUntil: new Date() } })
  await isQueued(timed)
  // One that was open all the time stays with them.
  await writeAgain(stays)
  expect(await ownerOf(stays)).toBe(bob.userId)
  await say(ann, 'available')
  await isOf(written, ann)
  await isOf(timed, ann)
  await say(bob, 'available')
  for (const conversation of [stays, written, timed]) await close(conversation)
  await setRule({ limit: 1, members: [bob.userId] })
})

test('an absence that was to end has the queue given out, and so has the beginning of the opening hours', async () => {
  const { connection } = parley.database
  await say(bob, 'away', new Date(Date.now() + 3_600_000).toISOString())
  const conversation = await customer()
  await isQueued(conversation)
  // An hour later.
  await connection
    .collection('absences')
    .updateOne({ ...parley.inWorkspace, userId: bob.userId }, { $set: { until: new Date() } })
  const look = () =>
    connection
      .collection('assignmentTurns')
      .updateOne({ ...parley.inWorkspace, queue: { $exists: true } }, { $set: { 'queue.at': new Date() } })
  await look()
  await isOf(conversation, bob)
  expect(await ann.ask('GET', path)).toEqual({ away: [] })
  await close(conversation)

  const hoursPath = '/api/workspace/opening-hours'
  const { version } = await ann.ask('GET', hoursPath)
  const today = [new Date(Date.now() - 86_400_000), new Date(), new Date(Date.now() + 86_400_000)]
  const closedOn = today.map((day) => day.toISOString().slice(0, 10))
  const hours = await ann.ask('PUT', hoursPath, { timeZone: 'UTC', spans: [], closedOn, version })
  const late = await customer()
  await isQueued(late)
  await ann.ask('PUT', hoursPath, { ...hours, closedOn: [] })
  await look()
  await isOf(late, bob)
  await close(late)
})

test('every query of the queue is answered by an index', async () => {
  const { services, scope, database } = parley
  await say(bob, 'away')
  await isQueued(await customer())
  await expectIndexed(database.connection, () => services.assignment.dueQueues())
  await expectIndexed(database.connection, () => services.assignment.giveQueued(scope))
  await say(bob, 'available')
})

test('who has left is no longer away, and has no limit', async () => {
  await setRule({ limits: [{ userId: bob.userId, limit: 7 }] })
  await say(bob, 'away')
  const data = { memberId: 'a'.repeat(24), userId: bob.userId, role: 'agent', status: 'removed', version: 1 }
  const message = {
    id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    by: { kind: 'user', id: ann.userId },
    type: 'member.changed',
    data,
  }
  await parley.signInProcess('profile-worker').ask('POST', '/internal/inbox', { messages: [message] })
  expect(await ann.ask('GET', path)).toEqual({ away: [] })
  expect(await ann.ask('GET', rulePath)).toMatchObject({ members: [], limits: [] })
})
