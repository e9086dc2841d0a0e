import { retrySchema } from '@parley/contracts/automation/run-endpoints'
import { expect, test } from 'vitest'
import { flowOf } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const onTag = { id: 'on', kind: 'event' as const, event: 'contact.tag_added' }
const addTag = (id: string, tag: string) => ({ id, kind: 'add_tag' as const, tag })
const template = (templateId: string) => ({ id: 'template', kind: 'send_template' as const, templateId, variables: {} })
const order = ['on next first', 'first next template', 'template next last']
/** Tags, sends a template that is not approved, and tags again. */
const broken = flowOf([onTag, addTag('first', 'one'), template('broken'), addTag('last', 'two')], order)
const repaired = flowOf([onTag, addTag('first', 'one'), template('sound'), addTag('last', 'two')], order)
const refuseBroken = () =>
  parley.messaging.refuse(
    'template_not_approved',
    (action) => action.type === 'send_template' && action.templateId === 'broken',
  )
const failFor = async (who: Talk) => {
  parley.messaging.tag(who, 'vip')
  await parley.settle()
}
const how = (fields: object = {}) => retrySchema.parse(fields)
const idOf = (run: { _id: unknown } | undefined) => String(run?._id)
const retry = async (run: { _id: unknown } | undefined, fields: object = {}) => {
  const again = await parley.retry(parley.scope, idOf(run), how(fields))
  await parley.settle()
  return (await parley.runs()).find((one) => idOf(one) === again.id)
}
const stepsOf = async (run: { _id: unknown } | undefined) =>
  (await parley.steps()).filter(({ runId }) => String(runId) === idOf(run)).map(({ nodeId }) => nodeId)

test('a failed run goes on at the step that failed, on the repaired version: what was done is not done again', async () => {
  const workflow = parley.addWorkflow(broken)
  refuseBroken()
  await failFor(talk)
  const [failed] = await parley.runs()
  expect(failed).toMatchObject({ outcome: 'failed', code: 'template_not_approved', slot: 'once' })
  parley.publish(workflow, repaired)
  expect(await parley.items()).toMatchObject([{ state: 'open', count: 1 }])
  const again = await retry(failed)
  expect(await parley.items()).toMatchObject([{ state: 'dismissed', count: 0 }])
  expect(again).toMatchObject({
    number: 2,
    outcome: 'completed',
    slot: 'once',
    startedBy: { event: 'retry', by: 'user' },
  })
  expect([String(again?.['retryOf']), await stepsOf(again)]).toEqual([idOf(failed), ['template', 'last']])
  expect([talk.tags, talk.log.length]).toEqual([['vip', 'one', 'two'], 1])
  const before = (await parley.runs())[0]
  expect([String(before?.['retriedBy']), before && 'slot' in before]).toEqual([idOf(again), false])
  await expect(parley.retry(parley.scope, idOf(failed), how())).rejects.toMatchObject({ code: 'wrong_state' })
})

test('it begins at the start, or at another step, and on the version that it ran on, where that is asked for', async () => {
  const workflow = parley.addWorkflow(broken)
  refuseBroken()
  const other = parley.messaging.open('Ravi')
  await failFor(talk)
  await failFor(other)
  const [first, second] = await parley.runs()
  parley.publish(workflow, repaired)
  expect(await retry(first, { version: 'same', from: 'start' })).toMatchObject({ number: 1, outcome: 'failed' })
  const last = await retry(second, { from: { nodeId: 'last' } })
  expect([last?.['outcome'], await stepsOf(last)]).toEqual(['completed', ['last']])
  expect(other.log).toEqual([])
})

test('at the start is the trigger that fired, of two for the same event', async () => {
  const onTagged = (id: string, tag: string) => ({
    ...onTag,
    id,
    filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value: tag }] },
  })
  const steps = [addTag('new', 'welcome'), template('broken')]
  parley.addWorkflow(
    flowOf(
      [onTagged('joined', 'vip'), onTagged('left', 'churned'), ...steps],
      ['joined next new', 'left next template'],
    ),
  )
  refuseBroken()
  parley.messaging.tag(talk, 'churned')
  await parley.settle()
  const [failed] = await parley.runs()
  expect(await stepsOf(await retry(failed, { from: 'start' }))).toEqual(['left', 'template'])
  expect(talk.tags).toEqual(['churned'])
})

test('a step that the version lacks is said; the run can be tried at another one', async () => {
  const workflow = parley.addWorkflow(broken)
  refuseBroken()
  await failFor(talk)
  const [failed] = await parley.runs()
  parley.publish(workflow, flowOf([onTag, addTag('other', 'three')], ['on next other']))
  await expect(retry(failed)).rejects.toMatchObject({ code: 'node_gone' })
  expect(await retry(failed, { from: 'start' })).toMatchObject({ outcome: 'completed' })
})

test('variables of the run are there when it goes on, and gone once the person is erased', async () => {
  const asking = flowOf(
    [
      onTag,
      { id: 'ask', kind: 'ask', text: 'Which size?', attribute: 'size', save: 'session' },
      template('broken'),
      { id: 'set', kind: 'set_attribute', attribute: 'size', value: '{{session.size}}' },
    ],
    ['on next ask', 'ask next template', 'template next set'],
  )
  parley.addWorkflow(asking)
  refuseBroken()
  await failFor(talk)
  parley.messaging.say(talk, { text: 'Large' })
  await parley.settle()
  const [failed] = await parley.runs()
  expect(failed).toMatchObject({ outcome: 'failed', state: { session: { size: 'Large' } } })
  parley.messaging.allow()
  await retry(failed)
  expect(talk.attributes).toEqual({ size: 'Large' })
  parley.messaging.emit(talk, {
    type: 'contact.erased',
    by: { kind: 'user' },
    data: { contactId: talk.contactId, conversationIds: [] },
  })
  await parley.settle()
  expect(JSON.stringify(await parley.runs())).not.toContain('Large')
})

test('a step that may have been done is repeated on a person’s word alone, also in bulk', async () => {
  const workflow = parley.addWorkflow(broken)
  parley.messaging.refuse('unavailable', ({ type }) => type === 'send_template')
  await failFor(talk)
  await failFor(parley.messaging.open('Ravi'))
  const [failed] = await parley.runs()
  parley.messaging.allow()
  await expect(retry(failed)).rejects.toMatchObject({ code: 'step_uncertain' })
  const bulk = (fields: object) =>
    parley.flowJobs.change(parley.owner, workflow.id, {
      filter: { outcome: 'failed' },
      action: { kind: 'retry', ...how(fields) },
    })
  expect(await parley.finish(await bulk({}))).toMatchObject({
    changed: 0,
    skipped: [{ reason: 'uncertain', count: 2 }],
  })
  expect(await retry(failed, { repeatUncertain: true })).toMatchObject({ outcome: 'completed' })
  expect(await parley.finish(await bulk({ repeatUncertain: true }))).toMatchObject({
    changed: 1,
    skipped: [{ reason: 'wrong_state', count: 1 }],
  })
})

test('many failed runs are tried again, each once, whoever asks at the same time; a contact who has another run is left out', async () => {
  const workflow = parley.addWorkflow(broken)
  refuseBroken()
  for (let count = 0; count < 120; count += 1) parley.messaging.tag(parley.messaging.open(`Person ${count}`), 'vip')
  await parley.settle()
  parley.messaging.allow()
  const [first] = await parley.runs()
  const action = { kind: 'retry' as const, ...how() }
  const jobs = [
    await parley.flowJobs.change(parley.owner, workflow.id, { filter: { code: 'template_not_approved' }, action }),
    await parley.flowJobs.change(parley.owner, workflow.id, { filter: { show: 'ended', outcome: 'failed' }, action }),
  ]
  const single = Array.from({ length: 10 }, () => parley.retry(parley.scope, idOf(first), how()).catch(() => undefined))
  const workers = jobs.map(async (job) => {
    const worker = parley.createJobs()
    // A step that met another one is tried again by the queue.
    await worker.perform({ id: job.id, ...parley.scope }).catch(() => undefined)
  })
  await Promise.all([...single, ...workers])
  parley.messaging.pass(60_000)
  for (const job of jobs) await parley.finish(job)
  const runs = await parley.runs()
  expect(runs.filter(({ outcome }) => outcome === 'completed')).toHaveLength(120)
  expect(runs).toHaveLength(240)
})

test('all live runs of a filter end, and all held ones go on', async () => {
  const waiting = flowOf(
    [onTag, { id: 'wait', kind: 'wait_time', seconds: 3600 }, addTag('last', 'two')],
    ['on next wait', 'wait next last'],
  )
  const workflow = parley.addWorkflow(waiting, { startsPerHour: 2 })
  for (const name of ['Asha', 'Ravi', 'Mina', 'Omar']) parley.messaging.tag(parley.messaging.open(name), 'vip')
  await parley.settle()
  const change = async (show: 'live' | 'held', kind: 'release' | 'cancel') =>
    parley.finish(await parley.flowJobs.change(parley.owner, workflow.id, { filter: { show }, action: { kind } }))
  expect(await change('held', 'release')).toMatchObject({ task: 'release', total: 2, changed: 2 })
  expect((await parley.runs()).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  expect(await change('live', 'cancel')).toMatchObject({ task: 'cancel', total: 4, changed: 4 })
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'cancelled'))
})
