import fc from 'fast-check'
import { expect, test } from 'vitest'
import { end, flowOf } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import { happenings, on, only, template, workflows } from './random-workflows.ts'
import type { Joined } from './start-runs.ts'

let parley: Joined
const database = joinEach((joined) => {
  parley = joined
})

type DryRunOf = Parameters<Joined['dryRuns']['start']>[2]['of']
const published: DryRunOf = { kind: 'published' }

/** Runs a workflow dry over the last seven days. */
async function dryRun(workflowId: string, of: DryRunOf = published, of7 = parley) {
  const { id } = await of7.dryRuns.start(of7.owner, workflowId, { days: 7, of })
  await of7.dryRuns.perform({ id, ...of7.scope })
  const found = (await of7.dryRuns.list(of7.scope, workflowId)).find((one) => one.id === id)
  expect(found).toMatchObject({ state: 'done', total: of7.messaging.events.length, done: of7.messaging.events.length })
  if (!found?.result) throw new Error('it has no result')
  return found.result
}

test('on any events it starts, skips and sends what the workflow did on them, and changes nothing', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(workflows, happenings, async ({ flow, enrolment, asks }, stream) => {
      const joined = database().join()
      parley = joined
      const { messaging } = joined
      await joined.feed.begin(joined.scope)
      const { id } = joined.addWorkflow(flow, enrolment)
      const talks = ['Asha', 'Ravi', 'Mina'].map((name) => messaging.open(name))
      for (const command of stream) {
        const talk = 'who' in command ? talks[command.who] : undefined
        if (command.kind === 'pass') messaging.pass(command.ms)
        else if (!talk) continue
        else if (command.kind === 'tag') messaging.tag(talk, command.tag)
        else if (command.kind === 'say') messaging.say(talk, { text: command.said })
        else if (command.kind === 'close') messaging.people.close(talk)
        else if (command.kind === 'opt_out') messaging.say(talk, { text: 'stop', command: 'opt_out' })
        else if (command.kind === 'merge' && !asks) {
          const data = { contactId: talk.contactId, otherId: talks[command.other]?.contactId ?? '' }
          if (data.contactId === data.otherId) continue
          messaging.emit(talk, { type: 'contact.merged', by: { kind: 'user' }, data })
        }
        await joined.settle()
      }
      const [runs, stored] = [await joined.runs(), await joined.steps()]
      const before = JSON.stringify([runs, stored, talks, messaging.events.length])
      const happened = Object.fromEntries(
        [...Map.groupBy(joined.decisions, (one) => one)].map(([reason, { length }]) => [reason, length]),
      )
      messaging.asked.length = 0
      const result = await dryRun(id, published, joined)
      const contactOf = (eventId: unknown) => messaging.events.find((event) => event.id === String(eventId))?.contactId
      expect({
        starts: result.starts,
        contacts: result.contacts,
        held: result.paths.find((path) => path.end === 'held')?.count ?? 0,
        skipped: Object.fromEntries(result.skipped.map(({ reason, count }) => [reason, count])),
      }).toEqual({
        starts: runs.length,
        contacts: new Set(runs.map((run) => contactOf(run['startedBy']?.eventId))).size,
        held: happened['held'] ?? 0,
        skipped: Object.fromEntries(
          Object.entries(happened).filter(([reason]) => reason !== 'started' && reason !== 'held'),
        ),
      })
      expect(result.events).toBe(joined.decisions.length)
      expect(result.days.reduce((sum, { starts }) => sum + starts, 0)).toBe(result.starts)
      expect(result.paths.reduce((sum, { count }) => sum + count, 0)).toBe(result.starts)
      if (!asks) {
        const sent = stored.filter(({ action, outcome }) => action === 'send_template' && outcome === 'done')
        expect(result.templates.reduce((sum, { count }) => sum + count, 0)).toBe(sent.length)
      }
      expect(JSON.stringify([await joined.runs(), await joined.steps(), talks, messaging.events.length])).toBe(before)
      for (const operation of messaging.asked)
        expect(['internal.events.history', 'internal.events.list', 'internal.lookups']).toContain(operation)
      for (const reason of Object.keys(happened)) seen.add(reason)
    }),
    { numRuns: 25, endOnFailure: true },
  )
  // The streams must hold something: otherwise the comparison above would be empty.
  for (const reason of ['started', 'filter', 'enrolled']) expect(seen).toContain(reason)
})

const tagged = async (tag: string, name: string) => {
  const talk = parley.messaging.open(name)
  parley.messaging.tag(talk, tag)
  await parley.settle()
  return talk
}

/** A customer who is tagged gets a template, is asked on the next day, and gets another one. */
const thanks = (tag: string) =>
  flowOf(
    [
      on('contact.tag_added', only('event.tag', tag)),
      template('welcome', 'welcome'),
      { id: 'wait', kind: 'wait_time', seconds: 60 },
      template('second', 'second'),
      { id: 'ask', kind: 'ask', text: 'All well?', attribute: 'well' },
      end,
    ],
    ['on next welcome', 'welcome next wait', 'wait next second', 'second next ask', 'ask next end'],
  )

test('a draft tells where its paths end, and nothing of a contact is stored', async () => {
  const workflow = parley.addWorkflow(thanks('gold'))
  const people = [await tagged('vip', 'Asha Secret'), await tagged('vip', 'Ravi Secret'), await tagged('gold', 'Mina')]
  parley.messaging.pass(30_000)
  await tagged('vip', 'Uma')
  parley.messaging.pass(40_000)
  const result = await dryRun(workflow.id, { kind: 'draft', flow: thanks('vip') })
  expect(result).toMatchObject({
    starts: 3,
    contacts: 3,
    events: 4,
    skipped: [{ reason: 'filter', count: 1 }],
    messages: 2,
    templates: [
      { templateId: 'welcome', count: 3 },
      { templateId: 'second', count: 2 },
    ],
    paths: [
      { nodeId: 'ask', end: 'answer', count: 2 },
      { nodeId: 'wait', end: 'waiting', count: 1 },
    ],
  })
  const jobs = JSON.stringify(await parley.jobRecords())
  expect(jobs).toContain('"starts":3')
  for (const { contactId, name, id } of people)
    for (const word of [contactId, name, id]) expect(jobs).not.toContain(word)
})

test('one of a workflow is at work at a time; a stopped one has no result, and another may begin', async () => {
  const { id } = parley.addWorkflow(thanks('vip'))
  const start = () => parley.dryRuns.start(parley.owner, id, { days: 1, of: published })
  const many = await Promise.allSettled(Array.from({ length: 5 }, start))
  const [begun, ...others] = many.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  expect(others).toEqual([])
  for (const one of many) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'limit_reached' })
  const stopped = await parley.dryRuns.cancel(parley.scope, begun?.id ?? '')
  expect(stopped).toMatchObject({ state: 'cancelled', result: null })
  await expect(parley.dryRuns.cancel(parley.scope, stopped.id)).rejects.toMatchObject({ code: 'wrong_state' })
  await parley.dryRuns.perform({ id: stopped.id, ...parley.scope })
  const next = await start()
  expect(await parley.dryRuns.pending()).toContainEqual({ id: next.id, ...parley.scope })
  // Those who work on starts by hand leave it alone, and do not show it.
  expect(await parley.flowJobs.pending()).not.toContainEqual({ id: next.id, ...parley.scope })
  await parley.flowJobs.perform({ id: next.id, ...parley.scope })
  await expect(parley.flowJobs.read(parley.owner, next.id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await parley.dryRuns.list(parley.scope, id)).map(({ state }) => state)).toEqual(['waiting', 'cancelled'])
})

test('a dry run whose worker died begins anew, and ends with the same', async () => {
  const { id } = parley.addWorkflow(thanks('vip'))
  for (let count = 0; count < 1100; count += 1) parley.messaging.tag(parley.messaging.open(`Nobody ${count}`), 'x')
  await tagged('vip', 'Asha')
  const begun = await parley.dryRuns.start(parley.owner, id, { days: 7, of: published })
  // The first page of the second step is not answered.
  let pages = 0
  const { ask } = parley.messaging
  const other = database().join(async (scope, endpoint, request) => {
    if (endpoint.operation === 'internal.events.list') pages += 1
    if (pages === 11) throw new Error('the worker has died')
    return ask(scope, endpoint, request as never) as never
  })
  await other.dryRuns.perform({ id: begun.id, ...parley.scope }).catch(() => undefined)
  const [interrupted] = await parley.dryRuns.list(parley.scope, id)
  expect([interrupted?.state, interrupted?.done]).toEqual(['running', 1000])
  await expect
    .poll(
      async () => {
        await parley.dryRuns.perform({ id: begun.id, ...parley.scope })
        return (await parley.dryRuns.list(parley.scope, id))[0]
      },
      { timeout: 10_000 },
    )
    .toMatchObject({
      state: 'done',
      done: 1101,
      total: 1101,
      result: { starts: 1, skipped: [{ reason: 'filter', count: 1100 }] },
    })
})
