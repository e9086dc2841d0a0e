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
  const waiting = { ...parley.inWorkspace, 'watch.step': 'near' }
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
    closed: 0,
    timeToClose: null,
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

test('who closed a conversation is credited, with how long it was open, each time; rows bear it out', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent' })
  const botId = new Types.ObjectId().toHexString()
  await ann.ask('PUT', '/api/workspace/opening-hours', {
    ...(await ann.ask('GET', '/api/workspace/opening-hours')),
    ...{ timeZone: 'UTC', spans: [], closedOn: [] },
  })
  const { write } = withChats(parley, ann)
  const [asha, ravi, mina] = [
    await write('919861995011', 'Asha', 'Hello?'),
    await write('919861995012', 'Ravi', 'Hello?'),
    await write('919861995013', 'Mina', 'Hello?'),
  ]
  const conversations = parley.database.connection.collection<{ _id: Types.ObjectId }>('conversations')
  const since = (id: string, hours: number | null) =>
    conversations.updateOne(
      { _id: new Types.ObjectId(id) },
      hours === null ? { $unset: { openedAt: '' } } : { $set: { openedAt: new Date(Date.now() - hours * 3_600_000) } },
    )
  const change = (person: typeof ann, id: string, status: 'open' | 'closed') =>
    person.ask('PATCH', `/api/conversations/${id}`, { status })
  await since(asha.id, 2)
  await since(ravi.id, null)
  // A message that nobody has asked for began Ravi's, as far as is known.
  for (const { id } of [asha, ravi]) await change(bob, id, 'closed')
  // Opening it again begins its time anew; closing a closed one is nothing.
  await change(ann, asha.id, 'open')
  await change(bob, asha.id, 'closed')
  await change(bob, asha.id, 'closed')
  const acted = await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
    by: { kind: 'bot', id: botId, runId: new Types.ObjectId().toHexString() },
    conversationId: mina.id,
    actions: [
      { key: `run.${botId}.0`, type: 'claim', botId },
      { key: `run.${botId}.1`, type: 'close' },
    ],
  })
  expect(acted.body.results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  const report = () => ann.ask('GET', path)
  const bobs = async () => (await report()).members.find(({ userId }: { userId: string }) => userId === bob.userId)
  await eventually(async () => {
    expect(await bobs()).toMatchObject({ closed: 3, timeToClose: { count: 2, median: { atMostSeconds: 60 } } })
    expect((await report()).bots).toMatchObject({ closed: 1 })
  })
  const { from, to } = await report()
  const rows = (scope: string) => `/api/analytics/rows?metric=closed&from=${from}&to=${to}&scope=${scope}`
  const page = await bob.ask('GET', rows(`member:${bob.userId}`))
  expect(page).toMatchObject({
    figure: 3,
    items: [
      { kind: 'closure', conversationId: asha.id, contactName: 'Asha', by: { kind: 'member', id: bob.userId } },
      { conversationId: ravi.id },
      { conversationId: asha.id },
    ],
  })
  expect(page.items[1]).not.toHaveProperty('openSeconds')
  expect(page.items[2].openSeconds).toBeGreaterThanOrEqual(7200)
  expect((await ann.ask('GET', rows(`bot:${botId}`))).items).toMatchObject([{ by: { kind: 'bot', id: botId } }])
  expect((await bob.call('GET', rows(`member:${ann.userId}`))).status).toBe(403)
  for (const scope of ['workspace', `number:${asha.numberId}`])
    expect((await ann.call('GET', rows(scope))).status).toBe(400)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await stranger.ask('GET', rows(`member:${bob.userId}`))).toMatchObject({ figure: 0, items: [] })
  await expectIndexed(parley.database.connection, () => ann.ask('GET', rows(`member:${bob.userId}`)))
  // The export has the rows as they are listed.
  const body = { metric: 'closed', from, to, scope: `member:${bob.userId}`, format: 'csv' }
  const { id } = await ann.ask('POST', '/api/analytics/rows/exports', body)
  await eventually(async () => {
    const { items } = await ann.ask('GET', '/api/contact-jobs')
    expect(items.find((job: { id: string }) => job.id === id)).toMatchObject({ state: 'done' })
  })
  const lines = (await (await ann.request('GET', `/api/contact-jobs/${id}/file`)).text()).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain(`closure,closed,,Asha,member ${bob.userId},${asha.id}`)
  // Erasing a person leaves the figure, and nothing that says whose it was.
  await ann.ask('POST', `/api/contacts/${asha.contact.id}/erase`, { name: 'Asha' })
  const closures = parley.database.connection.collection('closures')
  await eventually(async () => {
    const of = { ...parley.inWorkspace, contactId: new Types.ObjectId(asha.contact.id) }
    expect(await closures.countDocuments(of)).toBe(0)
  })
  expect((await bob.ask('GET', rows(`member:${bob.userId}`))).items).toMatchObject([
    { conversationId: null, contactName: null },
    { conversationId: ravi.id },
    { conversationId: null },
  ])
  expect(await bobs()).toMatchObject({ closed: 3, timeToClose: { count: 2 } })
  expect(await parley.services.recountFigures(parley.scope, { day: today() })).toEqual([])
  // A counter that its rows do not bear out is told.
  await closures.deleteOne({ ...parley.inWorkspace, 'by.id': bob.userId })
  expect(await parley.services.recountFigures(parley.scope, { day: today() })).toMatchObject([
    { scope: `member:${bob.userId}` },
  ])
})
