import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const path = '/api/analytics/members?period=7d'
const today = () => new Date().toISOString().slice(0, 10)

test('who answered is credited, with times and missed targets, and every counter is the sum of its rows', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent' })
  await ann.ask('PUT', '/api/workspace/opening-hours', { timeZone: 'UTC', spans: [], closedOn: [], version: 0 })
  await ann.ask('PUT', '/api/workspace/response-target', { firstMinutes: 30, nextMinutes: null, version: 0 })
  const { write } = withChats(parley, ann)
  const answers = parley.database.connection.collection('answers')
  const chats = [
    await write('919861995001', 'Asha', 'Hello?'),
    await write('919861995002', 'Ravi', 'Hello?'),
    await write('919861995003', 'Mina', 'Hello?'),
  ]
  const waiting = { ...parley.inWorkspace, 'watch.step': 'due' }
  await eventually(async () => expect(await answers.countDocuments(waiting)).toBe(3))
  // The second one is answered too late, by whoever owns it not.
  const late = { ...waiting, conversationId: new Types.ObjectId(chats[1]?.id) }
  await answers.updateOne(late, { $set: { dueAt: new Date(Date.now() - 60_000) } })
  await ann.ask('PATCH', `/api/conversations/${chats[1]?.id}`, { owner: { kind: 'member' } })
  for (const [chat, cause] of [
    [chats[0], { kind: 'member', id: bob.userId }],
    [chats[1], { kind: 'member', id: bob.userId }],
    [chats[2], { kind: 'bot', id: 'b1' }],
  ] as const)
    await parley.services.outgoing.send(parley.scope, chat?.id ?? '', { content: { type: 'text', text: 'Hi' }, cause })
  const reportOf = async (person: typeof ann) => (await person.ask('GET', path)).members
  const bobs = await eventually(async () => {
    const found = (await reportOf(ann)).find(({ userId }: { userId: string }) => userId === bob.userId)
    expect(found).toMatchObject({ replied: 2, sent: 2 })
    return found
  })
  expect(bobs).toEqual({
    userId: bob.userId,
    replied: 2,
    sent: 2,
    firstAnswer: {
      count: 2,
      median: { atMostSeconds: expect.any(Number) },
      p95: { atMostSeconds: expect.any(Number) },
    },
    targeted: 2,
    missed: 1,
    rating: null,
    // The member who answers becomes the owner.
    open: 2,
  })
  await ann.ask('PATCH', `/api/conversations/${chats[2]?.id}`, { owner: { kind: 'member' } })
  const anns = (await reportOf(ann)).find(({ userId }: { userId: string }) => userId === ann.userId)
  expect(anns).toMatchObject({ replied: 0, open: 1, firstAnswer: null })
  // An agent sees themselves alone, and no rows of others.
  expect((await reportOf(bob)).map(({ userId }: { userId: string }) => userId)).toEqual([bob.userId])
  const { from, to } = await ann.ask('GET', path)
  const rows = (metric: string, userId: string) =>
    `/api/analytics/rows?metric=${metric}&from=${from}&to=${to}&scope=member:${userId}`
  for (const [metric, count] of [
    ['replied', 2],
    ['missed', 1],
  ] as const) {
    const page = await bob.ask('GET', rows(metric, bob.userId))
    expect([page.figure, page.items.length]).toEqual([count, count])
    expect((await bob.call('GET', rows(metric, ann.userId))).status).toBe(403)
    expect((await ann.ask('GET', rows(metric, bob.userId))).figure).toBe(count)
  }
  expect((await bob.call('GET', rows('ratings', ann.userId))).status).toBe(403)
  expect((await bob.ask('GET', rows('ratings', bob.userId))).figure).toBe(0)
  expect(await parley.services.recountFigures(parley.scope, { day: today() })).toEqual([])
  await expectIndexed(parley.database.connection, () => ann.ask('GET', path))
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await reportOf(stranger)).toEqual([])
})
