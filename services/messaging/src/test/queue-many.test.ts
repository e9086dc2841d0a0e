import { inTransaction } from '@parley/service-kit/data/transaction'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const arrivals = 1000
const perRound = 20
const limit = 5

/** Numbers in an order that looks like chance, the same in each run. */
function createChance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('1,000 arrivals, members going away and coming back: nobody above the limit, none who is away, the oldest first', async () => {
  const parley = await joinMessaging()
  const { services, scope, database, number, inWorkspace } = parley
  const ann = parley.signIn()
  const agents = Array.from({ length: 6 }, () => parley.signIn({ role: 'agent' }))
  const members = await parley.members()
  for (const [index, agent] of agents.entries()) await members.join(agent, `Agent ${index}`)
  const ids = agents.map(({ userId }) => userId)
  const rule = { mode: 'round_robin', members: ids, limit, limits: [], version: 0 }
  await ann.ask('PUT', '/api/workspace/assignment', rule)
  const chance = createChance(35)
  const conversations = database.connection.collection('conversations')
  const openOf = async () => {
    const match = { ...inWorkspace, status: 'open', 'owner.kind': 'member' }
    const counted = await conversations
      .aggregate([{ $match: match }, { $group: { _id: '$owner.id', open: { $sum: 1 } } }])
      .toArray()
    return counted.map(({ open }) => Number(open))
  }

  async function arrive(from: number): Promise<void> {
    const pairs = Array.from({ length: perRound }, () => ({
      numberId: number.id,
      contactId: new Types.ObjectId().toHexString(),
    }))
    const begun = await services.conversations.ensure(scope, pairs)
    const changes = pairs.map(({ numberId, contactId }, index) => {
      const at = new Date(from + index)
      const last = { id: new Types.ObjectId().toHexString(), text: 'Hi', direction: 'inbound' as const, at }
      const id = begun.get(`${numberId}/${contactId}`) ?? ''
      return { id, unread: 1, messages: 1, last, firstAt: at, reopens: true }
    })
    await inTransaction(database.connection, (tx) => services.conversations.apply(scope, changes, tx))
  }

  /** Times between which a member was away for certain. */
  const absences: { userId: string; from: number; to: number }[] = []
  const away = new Map<string, number>()
  async function comeOrGo(agent: (typeof agents)[number]): Promise<void> {
    const since = away.get(agent.userId)
    if (since === undefined) {
      await agent.ask('PUT', '/api/availability', { state: 'away' })
      away.set(agent.userId, Date.now())
    } else {
      absences.push({ userId: agent.userId, from: since, to: Date.now() })
      away.delete(agent.userId)
      await agent.ask('PUT', '/api/availability', { state: 'available' })
    }
  }
  /** Members close some of what is theirs, several at once. */
  async function answer(count: number): Promise<number> {
    const owned = await conversations
      .find({ ...inWorkspace, status: 'open', 'owner.kind': 'member' }, { projection: { _id: 1 } })
      .limit(count)
      .toArray()
    await Promise.all(owned.map(({ _id }) => ann.ask('PATCH', `/api/conversations/${_id}`, { status: 'closed' })))
    return owned.length
  }

  const begin = Date.now() - arrivals * 10
  for (let done = 0; done < arrivals; done += perRound) {
    await arrive(begin + done * 10)
    await Promise.all([comeOrGo(agents[chance(agents.length)] as (typeof agents)[number]), answer(chance(30))])
    expect(Math.max(0, ...(await openOf()))).toBeLessThanOrEqual(limit)
  }
  for (const agent of agents) if (away.has(agent.userId)) await comeOrGo(agent)
  const isClosed = { ...inWorkspace, status: 'closed' }
  await eventually(async () => {
    await answer(agents.length * limit)
    expect(Math.max(0, ...(await openOf()))).toBeLessThanOrEqual(limit)
    expect(await conversations.countDocuments(isClosed)).toBe(arrivals)
  })

  const given = await database.connection
    .collection('events')
    .find({ ...inWorkspace, type: 'conversation.changed', 'data.became.owned.reason': 'assigned' })
    .sort({ seq: 1 })
    .toArray()
  const times = given.map(({ data }) => Date.parse(data.conversation.waitingSince))
  expect(times).toHaveLength(arrivals)
  expect(times).toEqual(times.toSorted((left, right) => left - right))
  const whileAway = given.filter(({ data, recordedAt }) =>
    absences.some(
      ({ userId, from, to }) =>
        userId === data.conversation.owner.id && recordedAt.getTime() > from && recordedAt.getTime() < to,
    ),
  )
  expect(absences.length).toBeGreaterThan(10)
  expect(whileAway).toEqual([])
  expect(await conversations.countDocuments({ ...inWorkspace, assignment: { $exists: true } })).toBe(0)
  await parley.stop()
})
