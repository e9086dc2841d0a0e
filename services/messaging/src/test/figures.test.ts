import { type Dashboard, dashboardApi } from '@parley/contracts/platform/dashboard'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { runToEnd } from '@parley/service-kit/testing/start-process'
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
const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
const dashboardOf = async (person: Person): Promise<Dashboard> =>
  dashboardApi.read.response.parse(await person.ask('GET', '/api/dashboard'))
const today = () => new Date().toISOString().slice(0, 10)
const recount = () => parley.services.recountFigures(parley.scope, { day: today() })
const rollups = () => parley.database.connection.collection('rollups')

test('a workspace in which nothing has happened says so', async () => {
  const { stats, activity, sampleIncluded } = await dashboardOf(newcomer())
  expect(stats.totalMessages).toMatchObject({ value: 0, trend: { change: 0 } })
  expect(stats.activeCampaigns).toMatchObject({ value: 0, trend: { change: null } })
  expect(stats.responseRate).toMatchObject({ value: null, trend: { change: null } })
  expect([activity, sampleIncluded]).toEqual([[], false])
})

test('what is received, answered and fails is counted from events, and rows bear it out', async () => {
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const asha = await write('919861880001', 'Asha', 'Do you deliver on Sundays?')
  await write('919861880001', 'Asha', 'Hello?')
  const ravi = await write('919861880002', 'Ravi', 'Is it in stock?')
  await eventually(async () => expect((await dashboardOf(ann)).stats.totalMessages.value).toBe(3))
  // Both wait, and may still be answered in time.
  expect((await dashboardOf(ann)).stats.responseRate.value).toBeNull()
  await parley.services.outgoing.send(parley.scope, asha.id, {
    content: { type: 'text', text: 'We do.' },
    cause: { kind: 'member', id: ann.userId },
  })
  await eventually(async () => {
    const { stats } = await dashboardOf(ann)
    expect([stats.totalMessages.value, stats.responseRate.value]).toEqual([4, 100])
  })
  const { activity, timeZone } = await dashboardOf(ann)
  expect(timeZone).toBe('Asia/Kolkata')
  const entries = activity.map(({ kind, object }) => [kind, object.kind, object.id, object.name])
  expect(entries.toSorted()).toEqual(
    [
      ['message', 'conversation', ravi.id, 'Ravi'],
      ['message', 'conversation', asha.id, 'Asha'],
    ].toSorted(),
  )
  const answer = await parley.database.connection
    .collection('answers')
    .findOne({ ...parley.inWorkspace, by: { $exists: true } })
  expect(answer).toMatchObject({ by: { kind: 'member', id: ann.userId }, conversationId: new Types.ObjectId(asha.id) })
  expect(await recount()).toEqual([])
  // Closed without an answer, a wait is neither answered nor late.
  await ann.ask('PATCH', `/api/conversations/${ravi.id}`, { status: 'closed' })
  await eventually(async () => {
    const open = { ...parley.inWorkspace, open: true }
    expect(await parley.database.connection.collection('answers').countDocuments(open)).toBe(0)
  })
  expect((await dashboardOf(ann)).stats.responseRate.value).toBe(100)
  expect(await recount()).toEqual([])
  expect((await dashboardOf(newcomer())).stats.totalMessages.value).toBe(0)
  const viewer = parley.signIn({ role: 'viewer' })
  expect((await viewer.call('GET', '/api/dashboard')).status).toBe(200)
  await expectIndexed(parley.database.connection, () => viewer.ask('GET', '/api/dashboard'))
})

test('erasing a person leaves the figures, and nothing that says whose they were', async () => {
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const mina = await write('919861880003', 'Mina', 'Please forget me')
  await eventually(async () =>
    expect((await dashboardOf(ann)).activity.some(({ object }) => object.id === mina.id)).toBe(true),
  )
  const before = (await dashboardOf(ann)).stats.totalMessages.value
  await ann.ask('POST', `/api/contacts/${mina.contact.id}/erase`, { name: 'Mina' })
  await eventually(async () => {
    const contactId = new Types.ObjectId(mina.contact.id)
    const of = { ...parley.inWorkspace, contactId }
    expect(await parley.database.connection.collection('messages').countDocuments(of)).toBe(0)
    expect(await parley.database.connection.collection('answers').countDocuments(of)).toBe(0)
  })
  const { stats, activity } = await dashboardOf(ann)
  expect(stats.totalMessages.value).toBe(before)
  expect(activity.some(({ object }) => object.id === mina.id)).toBe(false)
  expect(await recount()).toEqual([])
})

test('a counter that rows do not bear out is found, named by the command, and repaired', async () => {
  const counted = { ...parley.inWorkspace, scope: 'workspace', day: today(), part: 'counted' }
  await rollups().updateOne(counted, { $inc: { 'slots.3.received': 5 } })
  expect(await recount()).toEqual([{ scope: 'workspace', day: today(), slots: { 3: { received: -5 } } }])
  const command = (...more: string[]) =>
    runToEnd(`${import.meta.dirname}/../recount-figures.ts`, { MONGODB_URL: parley.database.url }, [
      ...['--workspace', parley.scope.workspaceId, '--from', today(), '--to', today()],
      ...more,
    ])
  const found = await command()
  expect([found.exitCode, found.output]).toEqual([1, expect.stringContaining('"received":-5')])
  expect((await command('--repair')).exitCode).toBe(0)
  expect(await recount()).toEqual([])
})

test('with the sample data every figure of the dashboard comes out of its records, and goes with them', async () => {
  const ann = newcomer()
  await settled(ann, 'POST', '/api/sample-data/load')
  const { stats, activity, sampleIncluded } = await dashboardOf(ann)
  expect(stats.totalMessages).toMatchObject({ value: 12_486, trend: { change: 12.5, since: 'last_month' } })
  expect(stats.activeCampaigns).toMatchObject({ value: 3, trend: { change: 1, since: 'last_week' } })
  expect(stats.responseRate).toMatchObject({ value: 94.2, trend: { change: 2.1, since: 'last_month' } })
  for (const { series } of Object.values(stats)) expect(series.points).toHaveLength(14)
  expect(sampleIncluded).toBe(true)
  expect(new Set(activity.map(({ kind }) => kind))).toEqual(new Set(['message', 'campaign', 'bot', 'error']))
  for (const { object } of activity.filter(({ object }) => object.kind === 'conversation'))
    expect((await ann.ask('GET', `/api/conversations/${object.id}`)).contact.name).toBe(object.name)
  expect((await ann.ask('GET', '/api/usage')).credits).toMatchObject({ used: 6580, limit: 25_000 })
  await settled(ann, 'DELETE', '/api/sample-data')
  const cleared = await dashboardOf(ann)
  expect(cleared.stats.totalMessages.value).toBe(0)
  expect([cleared.activity, cleared.sampleIncluded]).toEqual([[], false])
  for (const name of ['rollups', 'snapshots', 'figures'])
    expect(
      await parley.database.connection
        .collection(name)
        .countDocuments({ workspaceId: new Types.ObjectId(ann.workspaceId), sample: true }),
    ).toBe(0)
})
