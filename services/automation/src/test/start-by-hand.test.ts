import { newId } from '@parley/service-kit/data/plain'
import { expect, test } from 'vitest'
import { end, flowOf, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
joinEach((joined) => {
  parley = joined
})

const onTag = {
  id: 'on',
  kind: 'event' as const,
  event: 'contact.tag_added',
  filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value: 'vip' }] },
}
const byHand = (value: string) => ({
  id: 'on',
  kind: 'event' as const,
  event: 'manual',
  filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value }] },
})
const hello = flowOf([onTag, text('hello', 'Hello {{name}}!')], ['on next hello'])
const people = (count: number): Talk[] =>
  Array.from({ length: count }, (_, index) => parley.messaging.open(`Person ${index}`))
const segment = { kind: 'segment' as const, segmentId: 'all' }
const start = async (workflow: { id: string }, action: Parameters<Joined['flowJobs']['start']>[2]) =>
  parley.finish(await parley.flowJobs.start(parley.owner, workflow.id, action))

test('started for a contact, a workflow that waits for an event runs once, whatever its filter, and says who has started it', async () => {
  const workflow = parley.addWorkflow(hello)
  const [talk, other] = people(2)
  const action = { kind: 'contact' as const, contactId: talk?.contactId ?? '' }
  expect(await start(workflow, action)).toMatchObject({ state: 'done', total: 1, done: 1, changed: 1, skipped: [] })
  expect(talk?.sent.map((sent) => sent.text)).toEqual(['Hello Person 0!'])
  expect(other?.sent).toEqual([])
  expect((await parley.runs())[0]?.['startedBy']).toMatchObject({ event: 'manual', by: 'user', triggerId: 'on' })
  expect(await start(workflow, action)).toMatchObject({ changed: 0, skipped: [{ reason: 'enrolled', count: 1 }] })
  expect(talk?.sent).toHaveLength(1)
})

test('a trigger “started by hand” asks its filter; who is gone is counted', async () => {
  const workflow = parley.addWorkflow(flowOf([byHand('vip'), text('hello', 'Hello!')], ['on next hello']))
  const [vip, other] = people(2)
  if (vip) vip.tags = ['vip']
  const contactIds = [vip?.contactId ?? '', other?.contactId ?? '', newId()]
  expect(await start(workflow, { kind: 'contacts', contactIds })).toMatchObject({
    total: 3,
    done: 3,
    changed: 1,
    skipped: [
      { reason: 'filter', count: 1 },
      { reason: 'gone', count: 1 },
    ],
  })
  expect([vip?.sent.length, other?.sent.length]).toEqual([1, 0])
})

test('started by a program, a run says so, and its filter can ask for it', async () => {
  const program = { ...parley.owner, actor: { kind: 'key' as const, id: 'key00000' } }
  const byProgram = { match: 'all', conditions: [{ field: 'event.by', comparison: 'equals', value: 'api_key' }] }
  const on = { id: 'on', kind: 'event' as const, event: 'manual', filter: byProgram }
  const workflow = parley.addWorkflow(flowOf([on, text('hello', 'Hello!')], ['on next hello']))
  const [talk] = people(1)
  const action = { kind: 'contact' as const, contactId: talk?.contactId ?? '' }
  expect(await start(workflow, action)).toMatchObject({ changed: 0, skipped: [{ reason: 'filter', count: 1 }] })
  const job = await parley.finish(await parley.flowJobs.start(program, workflow.id, action))
  expect(job).toMatchObject({ changed: 1, startedBy: null })
  expect((await parley.runs())[0]?.['startedBy']).toMatchObject({ event: 'manual', by: 'api_key' })
})

test('a segment is gone through page by page, each contact once; who is in it already is left out, and above the limit runs are held', async () => {
  const waiting = flowOf(
    [onTag, { id: 'wait', kind: 'wait_time', seconds: 3600 }, end],
    ['on next wait', 'wait next end'],
  )
  const workflow = parley.addWorkflow(waiting, { reEnrolment: 'when_finished', startsPerHour: 180 })
  const talks = people(230)
  parley.messaging.pass(60_000)
  parley.messaging.tag(talks[7] as Talk, 'vip')
  await parley.settle()
  const done = await start(workflow, segment)
  expect(done).toMatchObject({
    total: 230,
    done: 230,
    changed: 229,
    held: 50,
    skipped: [{ reason: 'enrolled', count: 1 }],
  })
  const runs = await parley.runs()
  expect(new Set(runs.map(({ contactId }) => String(contactId))).size).toBe(230)
  expect(runs).toHaveLength(230)
  expect(await parley.items()).toMatchObject([{ code: 'held', count: 50 }])
})

test('a hundred starts of one contact at once, by people and by events, give one run', async () => {
  const workflow = parley.addWorkflow(hello)
  const [talk] = people(1)
  const action = { kind: 'contact' as const, contactId: talk?.contactId ?? '' }
  parley.messaging.tag(talk as Talk, 'vip')
  const workers = Array.from({ length: 20 }, () => parley.createJobs())
  const perform = async (worker: (typeof workers)[number]) => {
    for (let time = 0; time < 5; time += 1) {
      const begun = await worker.start(parley.owner, workflow.id, action).catch(() => undefined)
      // A step that met another one is tried again by the queue.
      if (begun) await worker.perform({ id: begun.id, ...parley.scope }).catch(() => undefined)
    }
  }
  await Promise.all([...workers.map(perform), parley.feed.readOn(parley.scope)])
  await parley.settle()
  expect(await parley.runs()).toHaveLength(1)
  expect(talk?.sent).toHaveLength(1)
})

test('it is refused for a paused workflow, and stops with it; a stopped job starts no more', async () => {
  const workflow = parley.addWorkflow(hello)
  const talks = people(120)
  const job = await parley.flowJobs.start(parley.owner, workflow.id, segment)
  expect(await parley.flowJobs.cancel(parley.owner, job.id)).toMatchObject({ state: 'cancelled' })
  await parley.finish(job)
  expect(talks.every(({ sent }) => sent.length === 0)).toBe(true)
  await expect(parley.flowJobs.cancel(parley.owner, job.id)).rejects.toMatchObject({ code: 'wrong_state' })
  const userId = 'b'.repeat(24)
  const agent = { ...parley.owner, userId, actor: { kind: 'user' as const, id: userId }, may: () => false }
  const other = await parley.flowJobs.start(parley.owner, workflow.id, segment)
  await expect(parley.flowJobs.cancel(agent, other.id)).rejects.toMatchObject({ code: 'forbidden' })
  parley.pause(workflow)
  expect(await parley.finish(other)).toMatchObject({ changed: 0, problem: 'The workflow was paused or deleted.' })
  await expect(parley.flowJobs.start(parley.owner, workflow.id, segment)).rejects.toMatchObject({ code: 'wrong_state' })
})

test('what follows from a start by hand does not start the workflow again', async () => {
  const again = flowOf(
    [
      { id: 'on', kind: 'event', event: 'contact.tag_added' },
      { id: 'tag', kind: 'add_tag', tag: 'one' },
    ],
    ['on next tag'],
  )
  const back = flowOf(
    [
      { id: 'on', kind: 'event', event: 'contact.tag_added' },
      { id: 'tag', kind: 'add_tag', tag: 'two' },
    ],
    ['on next tag'],
  )
  const first = parley.addWorkflow(again, { reEnrolment: 'always' })
  parley.addWorkflow(back, { reEnrolment: 'always' })
  const [talk] = people(1)
  await start(first, { kind: 'contact', contactId: talk?.contactId ?? '' })
  expect(await parley.runs()).toHaveLength(2)
  expect(talk?.tags).toEqual(['one', 'two'])
})
