import type { Timing } from '@parley/contracts/automation/schedule'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flowOf, text } from './drawn-flows.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

const hourMs = 3_600_000
// All in the future: contacts that are made later than a start do not take part in it.
const daily: Timing = { repeat: { every: 'day' }, time: '02:30', timeZone: 'Europe/Berlin' }
const flow = (timing: Timing, more: object = {}) =>
  flowOf(
    [{ id: 'clock', kind: 'schedule', ...timing, segmentId: 'all', ...more }, text('hello', 'Hello {{name}}!')],
    ['clock next hello'],
  )

/** A workspace whose clock stands at a moment, and a workflow that is started by the clock there. */
async function joinAt(at: string, timing = daily, more: object = {}) {
  const parley = database.join()
  await parley.feed.begin(parley.scope)
  parley.messaging.pass(Date.parse(at) - (await parley.messaging.now()))
  const workflow = parley.addWorkflow(flow(timing, more), { reEnrolment: 'always' })
  await parley.claim(workflow)
  return { parley, workflow, goTo: goTo(parley, workflow) }
}

/** Moves the clock, looks for what is due, and finishes what has begun. @returns the starts that there were so far. */
const goTo =
  (parley: Joined, workflow: { id: string }) =>
  async (at: string, workers = 1) => {
    parley.messaging.pass(Date.parse(at) - (await parley.messaging.now()))
    await Promise.all(Array.from({ length: workers }, () => parley.createScheduler()()))
    return finishAll(parley, workflow)
  }
async function finishAll(parley: Joined, { id }: { id: string }) {
  for (const job of await parley.flowJobs.list(parley.scope, id)) await parley.finish(job)
  return (await parley.runs()).map(({ startedBy }) => String(Object(startedBy).detail))
}

test('a workflow starts once a day for those in its segment, also where the clock skips its time or shows it twice', async () => {
  const { parley, goTo: go } = await joinAt('2035-03-24T12:00:00Z')
  const talk = parley.messaging.open('Asha')
  expect(await go('2035-03-25T01:29:00Z')).toEqual([])
  expect(await go('2035-03-25T01:30:00Z')).toEqual(['2035-03-25 02:30'])
  expect(await go('2035-03-25T02:29:00Z')).toHaveLength(1)
  expect(await go('2035-03-26T00:30:30Z')).toEqual(['2035-03-25 02:30', '2035-03-26 02:30'])
  expect(talk.sent.map((sent) => sent.text)).toEqual(['Hello Asha!', 'Hello Asha!'])
  expect((await parley.runs())[0]?.['startedBy']).toMatchObject({ event: 'schedule', triggerId: 'clock' })

  const autumn = await joinAt('2035-10-27T12:00:00Z')
  autumn.parley.messaging.open('Ravi')
  expect(await autumn.goTo('2035-10-28T00:30:00Z')).toEqual(['2035-10-28 02:30'])
  expect(await autumn.goTo('2035-10-28T01:30:00Z')).toHaveLength(1)
  expect(await autumn.goTo('2035-10-29T01:30:00Z')).toEqual(['2035-10-28 02:30', '2035-10-29 02:30'])
})

test('many workers at the same moment, one that is behind and one that comes later begin it once', async () => {
  const kathmandu: Timing = { repeat: { every: 'weekday' }, time: '09:00', timeZone: 'Asia/Kathmandu' }
  const { parley, workflow, goTo: go } = await joinAt('2035-11-30T03:00:00Z', kathmandu)
  parley.messaging.open('Asha')
  expect(await go('2035-11-30T03:15:00Z', 12)).toEqual(['2035-11-30 09:00'])
  // Paused and started at once, by a server whose clock is five minutes behind: the same time comes once more.
  await parley.release(workflow)
  await parley.claim(workflow, async () => Date.parse('2035-11-30T03:10:00Z'))
  expect(await go('2035-11-30T03:16:00Z', 2)).toHaveLength(1)
  expect(await go('2035-12-03T03:15:00Z', 2)).toEqual(['2035-11-30 09:00', '2035-12-03 09:00'])
})

test('published while its time has come: it starts once, on the version that runs then; another time counts from now', async () => {
  const { parley, workflow, goTo: go } = await joinAt('2035-06-01T12:00:00Z')
  const talk = parley.messaging.open('Asha')
  parley.messaging.pass(Date.parse('2035-06-02T00:30:05Z') - (await parley.messaging.now()))
  const changed = flowOf(
    [{ id: 'clock', kind: 'schedule', ...daily, segmentId: 'all' }, text('hello', 'New words')],
    ['clock next hello'],
  )
  parley.publish(workflow, changed)
  await parley.claim({ id: workflow.id, flow: changed })
  expect(await go('2035-06-02T00:30:06Z')).toEqual(['2035-06-02 02:30'])
  await parley.claim({ id: workflow.id, flow: changed })
  expect(await go('2035-06-02T00:31:00Z')).toHaveLength(1)
  expect(talk.sent.map((sent) => sent.text)).toEqual(['New words'])

  const later = flow({ ...daily, time: '02:00' })
  parley.publish(workflow, later)
  await parley.claim({ id: workflow.id, flow: later })
  expect(await go('2035-06-02T00:32:00Z')).toHaveLength(1)
  expect(await go('2035-06-03T00:00:00Z')).toEqual(['2035-06-02 02:30', '2035-06-03 02:00'])
})

test('after an outage a start of the last hour is made, one before it is named as missed, and the next comes', async () => {
  const { parley, goTo: go } = await joinAt('2035-06-01T12:00:00Z')
  parley.messaging.open('Asha')
  expect(await go('2035-06-02T01:29:00Z')).toEqual(['2035-06-02 02:30'])
  expect(await go('2035-06-05T12:00:00Z')).toHaveLength(1)
  expect(await parley.items()).toMatchObject([
    { code: 'missed_start', sentence: expect.stringContaining('2035-06-03 02:30 (Europe/Berlin) was missed') },
  ])
  expect(await go('2035-06-06T00:30:00Z')).toEqual(['2035-06-02 02:30', '2035-06-06 02:30'])
})

test('its filter, the rules of enrolment and the limit within an hour count; who was erased gets nothing', async () => {
  const vip = { filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'vip' }] } }
  const { parley, workflow, goTo: go } = await joinAt('2035-06-01T12:00:00Z', daily, vip)
  workflow.enrolment = { ...workflow.enrolment, reEnrolment: 'never', startsPerHour: 2 }
  const talks = ['Asha', 'Ravi', 'Mina', 'Tara', 'Noor'].map((name) => parley.messaging.open(name))
  for (const talk of talks.slice(0, 4)) talk.tags = ['vip']
  parley.messaging.talks.delete(talks[0]?.id ?? '')
  await go('2035-06-02T00:30:00Z')
  expect((await parley.flowJobs.list(parley.scope, workflow.id))[0]).toMatchObject({
    startedBy: null,
    changed: 3,
    held: 1,
    skipped: [{ reason: 'filter', count: 1 }],
  })
  await go('2035-06-03T00:30:00Z')
  expect((await parley.flowJobs.list(parley.scope, workflow.id))[0]).toMatchObject({
    changed: 0,
    skipped: expect.arrayContaining([{ reason: 'enrolled', count: 3 }]),
  })
})

test('a date comes once; a workflow that was paused before its time, and one whose segment is gone, start nothing', async () => {
  const once: Timing = { repeat: { every: 'once', date: '2035-12-24' }, time: '18:00', timeZone: 'Europe/Berlin' }
  const { parley, goTo: go } = await joinAt('2035-12-24T16:00:00Z', once)
  parley.messaging.open('Asha')
  expect(await go('2035-12-24T17:00:00Z')).toEqual(['2035-12-24 18:00'])
  expect(await parley.schedules.due(new Date('2030-01-01T00:00:00Z'))).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ workspaceId: parley.scope.workspaceId })]),
  )

  const paused = await joinAt('2035-06-01T12:00:00Z')
  paused.parley.messaging.open('Ravi')
  await paused.parley.release(paused.workflow)
  expect(await paused.goTo('2035-06-02T00:30:00Z')).toEqual([])

  const gone = await joinAt('2035-06-01T12:00:00Z', daily, { segmentId: 'gone' })
  await gone.goTo(new Date(Date.parse('2035-06-02T00:30:00Z') + hourMs / 2).toISOString())
  expect((await gone.parley.flowJobs.list(gone.parley.scope, gone.workflow.id))[0]).toMatchObject({
    state: 'done',
    problem: 'The segment was deleted.',
  })
})

test('a start that was not made is told of with its time', async () => {
  // Before all others, whose clocks stand elsewhere.
  const { parley } = await joinAt('2030-06-01T12:00:00Z')
  expect(await parley.schedules.oldestDueAt()).toBe(undefined)
  parley.messaging.pass(Date.parse('2030-06-02T02:00:00Z') - (await parley.messaging.now()))
  expect(await parley.schedules.oldestDueAt()).toEqual(new Date('2030-06-02T00:30:00Z'))
  await parley.createScheduler()()
  expect(await parley.schedules.oldestDueAt()).toBe(undefined)
})
