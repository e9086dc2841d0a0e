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

const only = (field: string, value: string, comparison = 'equals') => ({
  filter: { match: 'all', conditions: [{ field, comparison, value }] },
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

test('a contact who took part for good may take part again once the rules ask for a run that lives alone', async () => {
  const workflow = parley.addWorkflow(greeter)
  await tagged('one')
  await tagged('two')
  expect(await parley.runs()).toHaveLength(1)
  workflow.enrolment.reEnrolment = 'when_finished'
  await tagged('three')
  await tagged('four')
  expect(talk.sent).toHaveLength(3)
  workflow.enrolment.reEnrolment = 'never'
  await tagged('five')
  expect(talk.sent).toHaveLength(3)
})

test.each(['never', 'always'] as const)('a run begun under “%s” counts while it lives', async (reEnrolment) => {
  const waiting = flowOf(
    [
      { id: 'on', kind: 'event', event: 'contact.tag_added' },
      { id: 'wait', kind: 'wait_time', seconds: 60 },
      text('later', 'Later'),
    ],
    ['on next wait', 'wait next later'],
  )
  const workflow = parley.addWorkflow(waiting, { reEnrolment })
  await tagged('one')
  workflow.enrolment.reEnrolment = 'when_finished'
  await tagged('two')
  expect(await parley.runs()).toHaveLength(1)
})

test('a failed run is tried again beside one that ended before, where the rules ask for a run that lives alone', async () => {
  const workflow = parley.addWorkflow(greeter)
  await tagged('one')
  workflow.enrolment.reEnrolment = 'when_finished'
  parley.messaging.refuse('window_closed', ({ type }) => type === 'send')
  await tagged('two')
  parley.messaging.allow()
  const failed = (await parley.runs()).find(({ outcome }) => outcome === 'failed')
  await parley.retry(parley.scope, String(failed?._id), { from: 'failed', version: 'current', repeatUncertain: false })
  await parley.settle()
  expect(talk.sent).toHaveLength(2)
})

test('a filter sees the whole text of a message, also where its run is replayed', async () => {
  const { id } = parley.addWorkflow(
    flowOf(
      [
        { id: 'on', kind: 'event', event: 'message.received', ...only('message.text', 'refund', 'contains') },
        text('sorry', 'We are sorry.'),
      ],
      ['on next sorry'],
    ),
  )
  parley.messaging.say(talk, { text: `${'All went wrong. '.repeat(30)}I want a refund.` })
  await parley.settle()
  expect(talk.sent).toHaveLength(1)
  const { items } = await parley.replay(parley.scope, { kind: 'workflow', id }, { of: { kind: 'recent' } })
  expect(items).toMatchObject([{ result: 'same' }])
})
