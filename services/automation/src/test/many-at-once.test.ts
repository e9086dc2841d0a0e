import { afterAll, beforeAll, expect, test } from 'vitest'
import { end, flowOf } from './drawn-flows.ts'
import { type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

const onTag = {
  id: 'on',
  kind: 'event' as const,
  event: 'contact.tag_added',
  filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value: 'vip' }] },
}
const mark = flowOf([onTag, { id: 'mark', kind: 'add_tag', tag: 'marked' }, end], ['on next mark', 'mark next end'])

test('of five hundred contacts tagged at once, read by two workers at the same time, each has one run', async () => {
  const parley = database.join()
  await parley.feed.begin(parley.scope)
  const workflow = parley.addWorkflow(mark, { reEnrolment: 'always', startsPerHour: 450 })
  const talks = Array.from({ length: 500 }, (_, index) => parley.messaging.open(`Person ${index}`))
  parley.messaging.tagMany(talks, 'other')
  parley.messaging.tagMany(talks, 'vip')
  const other = parley.create()
  const readAll = async (feed: typeof other.feed) => {
    while (await feed.readOn(parley.scope));
  }
  await Promise.all([readAll(parley.feed), readAll(other.feed)])
  await parley.settle()

  const runs = await parley.runs()
  expect(runs).toHaveLength(500)
  expect(new Set(runs.map(({ contactId }) => String(contactId))).size).toBe(500)
  expect(new Set(runs.map(({ flowId }) => String(flowId)))).toEqual(new Set([workflow.id]))
  // Starts above the limit of an hour wait for a person.
  expect(runs.filter(({ status }) => status === 'held')).toHaveLength(50)
  expect(talks.filter(({ tags }) => tags.includes('marked'))).toHaveLength(450)
  expect(await parley.items()).toMatchObject([{ code: 'held', count: 50 }])
  expect(runs[0]?.['startedBy']).toMatchObject({ event: 'contact.tag_added', detail: 'vip', by: 'user' })
})

test('who has a run already is left out of the next change of many', async () => {
  const parley = database.join()
  await parley.feed.begin(parley.scope)
  parley.addWorkflow(mark, { reEnrolment: 'never' })
  const talks = Array.from({ length: 30 }, (_, index) => parley.messaging.open(`Person ${index}`))
  parley.messaging.tagMany(talks.slice(0, 10), 'vip')
  await parley.settle()
  for (const talk of talks) talk.tags = []
  parley.messaging.tagMany(talks, 'vip')
  await parley.settle()
  expect(await parley.runs()).toHaveLength(30)
})
