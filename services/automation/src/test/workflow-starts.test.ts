import type { Enrolment } from '@parley/contracts/automation/workflows'
import { expect, test } from 'vitest'
import { flowOf, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

/** Says something each time that a contact is tagged. */
const greeter = flowOf(
  [{ id: 'on', kind: 'event', event: 'contact.tag_added' }, text('hello', 'Hello!')],
  ['on next hello'],
)
const tagged = async (tag: string) => {
  parley.messaging.tag(talk, tag)
  await parley.settle()
}
/** Tags every ten minutes. */
const tagFor = async (hours: number, name: string) => {
  for (let count = 0; count < hours * 6; count += 1) {
    await tagged(`${name} ${count}`)
    parley.messaging.pass(600_000)
  }
}
const dryStarts = async (workflowId: string) => {
  const { id } = await parley.dryRuns.start(parley.owner, workflowId, { days: 7, of: { kind: 'published' } })
  await parley.dryRuns.perform({ id, ...parley.scope })
  const { starts = 0, paths = [] } = (await parley.dryRuns.list(parley.scope, workflowId))[0]?.result ?? {}
  return starts - (paths.find(({ end }) => end === 'held')?.count ?? 0)
}

test.each<Partial<Enrolment>>([{ perContactPerHour: 2 }, { startsPerHour: 2 }])(
  'with %j two start in each hour: what is held has not started, until it is let go on',
  async (limits) => {
    const workflow = parley.addWorkflow(greeter, { reEnrolment: 'always', ...limits })
    await tagFor(3, 'x')
    expect(talk.sent).toHaveLength(6)
    expect(await dryStarts(workflow.id)).toBe(6)
    const change = async (show: 'live' | 'held', kind: 'release' | 'cancel') => {
      const job = await parley.flowJobs.change(parley.owner, workflow.id, { filter: { show }, action: { kind } })
      return (await parley.finish(job)).changed
    }
    // Ended while they were held, they have not started either.
    expect(await change('held', 'cancel')).toBe(12)
    await tagFor(1, 'y')
    expect(talk.sent).toHaveLength(8)
    await tagFor(1, 'z')
    expect(talk.sent).toHaveLength(10)
    await change('held', 'release')
    expect(talk.sent).toHaveLength(18)
    await tagged('at once')
    expect(talk.sent).toHaveLength(18)
  },
)
