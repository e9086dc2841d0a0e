import { type Analytics, analyticsApi } from '@parley/contracts/platform/analytics'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { settled } from './sample-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

type Person = ReturnType<typeof parley.signIn>
const newId = () => new Types.ObjectId().toHexString()
const newcomer = () => parley.signIn({ workspaceId: newId() })
const analyticsOf = async (person: Pick<Person, 'ask'>, query = ''): Promise<Analytics> =>
  analyticsApi.read.response.parse(await person.ask('GET', `/api/analytics${query}`))

test('a workspace in which nothing has happened says so', async () => {
  const { stats, campaigns, bots, days, week, sampleIncluded } = await analyticsOf(newcomer())
  expect(stats.totalMessages).toEqual({ value: 0, changePercent: 0 })
  expect(stats.activeContacts).toEqual({ value: 0, changePercent: null })
  expect([campaigns, bots, sampleIncluded]).toEqual([[], [], false])
  expect([days.length, week.length]).toEqual([30, 7])
})

test('messages are counted for the workspace, for their number and for the member who wrote', async () => {
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const asha = await write('919861990001', 'Asha', 'Do you deliver?')
  await parley.services.outgoing.send(parley.scope, asha.id, {
    content: { type: 'text', text: 'We do.' },
    cause: { kind: 'member', id: ann.userId },
  })
  await eventually(async () => {
    const { stats, week } = await analyticsOf(ann)
    expect([stats.totalMessages.value, stats.messagesSent.value]).toEqual([2, 1])
    expect(week.at(-1)).toMatchObject({ sent: 1, received: 1 })
  })
  const ofNumber = await analyticsOf(ann, `?scope=number:${asha.numberId}`)
  expect(ofNumber.stats).toMatchObject({
    totalMessages: { value: 2 },
    messagesSent: { value: 1 },
    activeContacts: null,
  })
  const ofMember = await analyticsOf(ann, `?scope=member:${ann.userId}&period=7d`)
  expect(ofMember.stats).toMatchObject({ messagesSent: { value: 1 }, botInteractions: null })
  expect((await analyticsOf(ann, `?scope=member:${newId()}`)).stats.messagesSent.value).toBe(0)
  expect((await analyticsOf(ann)).stats.activeContacts?.value).toBe(1)
  expect((await analyticsOf(newcomer())).stats.totalMessages.value).toBe(0)
  expect((await ann.call('GET', '/api/analytics?scope=campaign:1')).status).toBe(400)
  const viewer = parley.signIn({ role: 'viewer' })
  await expectIndexed(parley.database.connection, async () => {
    await viewer.ask('GET', '/api/analytics')
    await viewer.ask('GET', `/api/analytics?scope=number:${asha.numberId}`)
  })
})

test('a period ends with the day that is asked for, and knows of contacts what was counted then', async () => {
  const ann = newcomer()
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const collection = (name: string) => parley.database.connection.collection(name)
  await collection('rollups').insertMany(
    (['2026-03-08', '2026-03-09', '2026-03-15', '2026-03-16'] as const).map((day, place) => ({
      workspaceId,
      scope: 'workspace',
      ...{ day, part: 'counted', slots: { 40: { sent: 10 ** place } } },
    })),
  )
  const seven = await analyticsOf(ann, '?period=7d&to=2026-03-15')
  expect(seven).toMatchObject({ from: '2026-03-09', to: '2026-03-15', stats: { messagesSent: { value: 110 } } })
  expect(seven.stats.messagesSent.changePercent).toBe(10_900)
  expect(seven.week.map(({ sent }) => sent)).toEqual([10, 0, 0, 0, 0, 0, 100])
  expect(seven.stats.activeContacts).toBeNull()
  const counted = (in7: number) => ({ activeCampaigns: 0, activeContacts: { in7, in30: 0, in90: 0 } })
  await collection('snapshots').insertMany([
    { workspaceId, day: '2026-03-09', ...counted(4) },
    { workspaceId, day: '2026-03-16', ...counted(5) },
  ])
  expect((await analyticsOf(ann, '?period=7d&to=2026-03-15')).stats.activeContacts).toEqual({
    value: 5,
    changePercent: 25,
    approximate: true,
  })
  // The team's report has the same days; what is still to come ends today.
  expect(await ann.ask('GET', '/api/analytics/members?period=7d&to=2026-03-15')).toMatchObject({
    from: '2026-03-09',
    to: '2026-03-15',
  })
  expect((await analyticsOf(ann, '?to=2099-01-01')).to).toBe((await analyticsOf(ann)).to)
  for (const to of ['2026-02-30', 'today', '1999-12-31'])
    expect((await ann.call('GET', `/api/analytics?to=${to}`)).status).toBe(400)
})

test('what a bot takes over counts as its own, and is resolved unless a person takes it within a day', async () => {
  const ann = parley.signIn()
  const botId = newId()
  const by = { kind: 'bot', id: botId, runId: newId() }
  const act = async (conversationId: string, ...actions: object[]) => {
    const { status } = await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
      by,
      conversationId,
      actions: actions.map((action) => ({ key: `run.${newId()}.0`, ...action })),
    })
    expect(status).toBe(200)
  }
  const { write } = withChats(parley, ann)
  const [ended, taken] = [
    await write('919861990002', 'Ravi', 'Where is my order?'),
    await write('919861990003', 'Mina', 'I want a person'),
  ]
  for (const { id } of [ended, taken]) {
    await act(id, { type: 'claim', botId })
    await act(id, { type: 'release', resolved: true, completed: true })
  }
  const own = async () => (await analyticsOf(ann)).bots.find(({ id }) => id === botId)
  await eventually(async () => expect(await own()).toMatchObject({ conversations: 2, resolved: 2, rate: 100 }))
  await ann.ask('PATCH', `/api/conversations/${taken.id}`, { owner: { kind: 'member', id: ann.userId } })
  await eventually(async () => expect(await own()).toMatchObject({ conversations: 2, resolved: 1, rate: 50 }))
  expect((await analyticsOf(ann)).stats.botInteractions?.value).toBe(2)
  const today = new Date().toISOString().slice(0, 10)
  expect(await parley.services.recountFigures(parley.scope, { day: today })).toEqual([])
  // Erasing a person leaves the counters, and nothing that says whose they were.
  await ann.ask('POST', `/api/contacts/${taken.contact.id}/erase`, { name: 'Mina' })
  await eventually(async () => {
    const of = { ...parley.inWorkspace, contactId: new Types.ObjectId(taken.contact.id) }
    expect(await parley.database.connection.collection('takeOvers').countDocuments(of)).toBe(0)
  })
  expect(await own()).toMatchObject({ conversations: 2, resolved: 1 })
  expect(await parley.services.recountFigures(parley.scope, { day: today })).toEqual([])
})

test('what a bot gives away, leaves or fails at counts as its own, and as resolved by nobody', async () => {
  const ann = parley.signIn()
  const botId = newId()
  const by = { kind: 'bot', id: botId, runId: newId() }
  const { write } = withChats(parley, ann)
  const ends = [
    { type: 'release', attention: true, completed: true },
    { type: 'release' },
    { type: 'assign', to: { kind: 'queue' } },
    { type: 'assign', to: { kind: 'member', memberId: ann.userId } },
  ]
  await (await parley.members()).join(ann, 'Ann Stone')
  const threads: string[] = []
  for (const [index, end] of ends.entries()) {
    const { id } = await write(`91986199010${index}`, 'Ravi', 'agent')
    threads.push(id)
    const actions = [{ type: 'claim', botId }, { type: 'send', content: { type: 'text', text: 'One moment.' } }, end]
    const { body } = await parley.signInProcess('automation-worker').call('POST', '/internal/actions', {
      by,
      conversationId: id,
      actions: actions.map((action) => ({ key: `run.${newId()}.0`, ...action })),
    })
    expect(body.results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }])
  }
  await eventually(async () => {
    const own = (await analyticsOf(ann)).bots.find(({ id }) => id === botId)
    expect(own).toMatchObject({ conversations: 4, resolved: 0, rate: 0 })
  })
  // The dashboard tells how each has ended.
  const { activity } = dashboardApi.read.response.parse(await ann.ask('GET', '/api/dashboard'))
  const told = new Map(activity.filter(({ kind }) => kind === 'bot').map(({ object, text }) => [object.id, text]))
  const handedOver = 'Bot handed over to a person'
  expect(threads.map((id) => told.get(id))).toEqual([handedOver, 'Bot ended a conversation', handedOver, handedOver])
})

test('a key reads what its numbers allow', async () => {
  const program = parley.signInProgram({ scopes: ['analytics:read'], numbers: [newId()] })
  expect((await program.call('GET', '/api/analytics')).status).toBe(404)
  const all = parley.signInProgram({ scopes: ['analytics:read'] })
  expect((await all.call('GET', '/api/analytics')).status).toBe(200)
  expect((await parley.signInProgram({ scopes: ['contacts:read'] }).call('GET', '/api/analytics')).status).toBe(403)
})

test('with the sample data every figure of the analytics comes out of its records, and goes with them', async () => {
  const ann = newcomer()
  await settled(ann, 'POST', '/api/sample-data/load')
  const { stats, campaigns, bots, sampleIncluded, week, days } = await analyticsOf(ann)
  expect(stats.totalMessages).toEqual({ value: 12_486, changePercent: 12.5 })
  expect(stats.messagesSent.value).toBe(10_318)
  expect(stats.activeContacts?.changePercent).toBe(8.3)
  const active = (await ann.ask('GET', '/api/segments')).items.find(({ id }: { id: string }) => id === 'active')
  expect(stats.activeContacts?.value).toBe(active.count)
  expect(stats.botInteractions).toEqual({ value: 4427, changePercent: 18.6 })
  expect(bots.map(({ conversations, resolved }) => [conversations, resolved])).toEqual([
    [2036, 1486],
    [1284, 1117],
    [642, 591],
    [318, 242],
    [147, 68],
  ])
  expect(campaigns.length).toBeGreaterThan(3)
  for (const { id, name, delivered, opened, clicked, openRate } of campaigns) {
    const { counts, name: stored } = await ann.ask('GET', `/api/campaigns/${id}`)
    expect([name, delivered, opened, clicked]).toEqual([stored, counts.delivered, counts.read, counts.clicked])
    expect(openRate).toBeCloseTo((opened / delivered) * 100, 0)
  }
  expect(campaigns.map(({ openRate }) => openRate)).toEqual(
    campaigns.map(({ openRate }) => openRate).toSorted((left, right) => (right ?? 0) - (left ?? 0)),
  )
  expect(week).toEqual(days.slice(-7))
  expect(sampleIncluded).toBe(true)
  for (const period of ['7d', '90d'] as const) {
    const other = await analyticsOf(ann, `?period=${period}`)
    const sum = other.days.reduce((total, { sent, received }) => total + sent + received, 0)
    expect(other.stats.totalMessages.value).toBe(sum)
  }
  expect(await shownOnceStopped(ann)).toEqual([false, true])
  await settled(ann, 'DELETE', '/api/sample-data')
  const cleared = await analyticsOf(ann)
  expect([cleared.stats.totalMessages.value, cleared.stats.activeContacts?.value]).toEqual([0, 0])
  expect([cleared.campaigns, cleared.bots, cleared.sampleIncluded]).toEqual([[], [], false])
})

/** Returns whether a campaign that was cancelled 60 days ago is one of the last 7 days, and one of the last 90. */
async function shownOnceStopped(person: Person): Promise<boolean[]> {
  const campaigns = parley.database.connection.collection('campaigns')
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const stopped = await campaigns.findOneAndUpdate(
    { workspaceId: new Types.ObjectId(person.workspaceId), status: 'active' },
    { $set: { status: 'cancelled', startedAt: daysAgo(70), stoppedAt: daysAgo(60) } },
  )
  const shown = async (period: string) =>
    (await analyticsOf(person, `?period=${period}`)).campaigns.some(({ id }) => id === String(stopped?._id))
  return [await shown('7d'), await shown('90d')]
}
