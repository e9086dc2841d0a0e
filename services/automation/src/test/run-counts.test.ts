import type { RunFilter } from '@parley/contracts/automation/run-endpoints'
import { expect, test } from 'vitest'
import { countRuns, recounted } from './counted-runs.ts'
import { end, flowOf, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
const database = joinEach((joined) => {
  parley = joined
})

const on = { id: 'on', kind: 'event' as const, event: 'contact.tag_added' }
const isVip = { id: 'if', kind: 'tag' as const, tag: 'vip' }
const hour = { id: 'wait', kind: 'wait_time' as const, seconds: 3600 }
const template = { id: 'send', kind: 'send_template' as const, templateId: 'welcome', variables: {} }
/** VIPs wait for an hour; everybody else gets a template at once. */
const drawn = flowOf(
  [on, isVip, hour, template, end],
  ['on next if', 'if yes wait', 'wait next end', 'if no send', 'send next end'],
)

const tagged = async (talks: readonly Talk[], tag: string) => {
  for (const talk of talks) parley.messaging.tag(talk, tag)
  await parley.settle()
}
const people = (count: number): Talk[] =>
  Array.from({ length: count }, (_, index) => parley.messaging.open(`Person ${index}`))
const counted = async ({ id }: { id: string }, number?: number) => {
  await countRuns(parley)
  const { nodes } = await parley.countsOf(parley.scope, id, { days: 7, number })
  return Object.fromEntries(
    nodes.map(({ nodeId, left, ...counts }) => [
      nodeId,
      { ...counts, left: Object.fromEntries(left.map(({ branch, count }) => [branch, count])) },
    ]),
  )
}
const listed = async ({ id }: { id: string }, query: RunFilter) =>
  (await parley.service.ofFlow(parley.scope, { kind: 'workflow', id }, { ...query, limit: 100 }, async () => undefined))
    .items.length

test('each node says how many came, by which branch they left, who is there, was given up and failed, and each figure opens its runs', async () => {
  const workflow = parley.addWorkflow(drawn)
  const [vips, others] = [people(5), people(4)]
  await tagged(vips, 'vip')
  const [lost, ...reached] = others
  parley.messaging.refuse('template_paused', ({ type }) => type === 'send_template')
  await tagged([lost as Talk], 'new')
  parley.messaging.allow()
  await tagged(reached, 'new')
  const [cancelled] = await parley.runs()
  await parley.service.cancel(parley.scope, String(cancelled?._id))
  parley.messaging.pass(1000)
  await parley.settle()

  const all = await counted(workflow)
  expect(all).toMatchObject({
    on: { entered: 9, left: { next: 9 }, dropped: 0, here: 0 },
    if: { entered: 9, left: { yes: 5, no: 4 }, dropped: 0, here: 0 },
    wait: { entered: 5, left: {}, dropped: 1, here: 4 },
    send: { entered: 4, left: { next: 3, failed: 1 }, failed: 1 },
  })
  expect(all).toEqual(recounted(await parley.steps(), await parley.runs(), workflow.id))
  expect(await listed(workflow, { visited: 'if' })).toBe(9)
  expect(await listed(workflow, { visited: 'if', branch: 'no' })).toBe(4)
  expect(await listed(workflow, { dropped: 'wait' })).toBe(1)
  expect(await listed(workflow, { show: 'live', nodeId: 'wait' })).toBe(4)
  expect(await listed(workflow, { visited: 'send', branch: 'failed' })).toBe(1)

  parley.messaging.pass(3_600_000)
  await parley.settle()
  expect((await counted(workflow))['wait']).toMatchObject({ entered: 5, left: { next: 4 }, dropped: 1, here: 0 })
})

test('runs that move to another version leave the node on the version on which they came to it', async () => {
  const workflow = parley.addWorkflow(drawn)
  await tagged(people(3), 'vip')
  parley.publish(
    workflow,
    flowOf([on, isVip, hour, text('bye', 'Bye!'), end], ['on next if', 'if yes wait', 'wait next bye', 'bye next end']),
  )
  await parley.moveRuns(workflow.id, { from: 1, to: 2, nodeIds: ['wait'] })
  parley.messaging.pass(3_600_000)
  await parley.settle()
  expect(await counted(workflow, 1)).toMatchObject({ wait: { entered: 3, left: { next: 3 }, here: 0 } })
  expect(await counted(workflow, 2)).toMatchObject({ bye: { entered: 3, left: { next: 3 }, here: 0 } })
})

test('two workers that count at once add every visit once; counts of others and of other days are no part of it', async () => {
  const workflow = parley.addWorkflow(drawn)
  await tagged(people(20), 'vip')
  await Promise.all([countRuns(parley), countRuns(parley), countRuns(parley)])
  expect((await counted(workflow))['on']).toMatchObject({ entered: 20, left: { next: 20 } })
  const other = database().join()
  expect(await other.countsOf(other.scope, workflow.id, { days: 90 })).toMatchObject({ nodes: [] })
})
