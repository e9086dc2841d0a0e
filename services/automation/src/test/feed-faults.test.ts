import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { errors } from '@parley/service-kit/core/errors'
import { newId } from '@parley/service-kit/data/plain'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { booking, end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'
import type { Talk } from './talk.ts'

let database: Runs
let parley: Joined
let talks: readonly [before: Talk, bad: Talk, behind: Talk]
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())
beforeEach(async () => {
  parley = database.join()
  parley.addBot(greeting)
  await parley.feed.begin(parley.scope)
  const { open } = parley.messaging
  talks = [open(), open(), open()]
})

/** Three customers write, and the event of the second one is changed on its way. */
function writeWith(change: (event: RecordedEvent) => object): void {
  for (const talk of talks) parley.messaging.say(talk, { text: 'hi' })
  const event = parley.messaging.events.find(
    ({ type, conversationId }) => type === 'message.changed' && conversationId === talks[1].id,
  )
  if (!event) throw new Error('nobody has written')
  Object.assign(event, change(event))
}
const answers = () => talks.map(({ sent }) => sent.length)
const listed = async () =>
  (await parley.items()).map(({ code, conversationId }) => [code, String(conversationId)].join(' '))

test.each([
  ['of a type that is not known', () => ({ type: 'message.dreamt' })],
  ['without its data', () => ({ data: undefined })],
  ['with a snapshot of another shape', () => ({ snapshot: { contact: 'Asha' } })],
  ['at no time', () => ({ at: 'yesterday' })],
])('an event %s goes to people at once; those before and behind it are answered', async (_, change) => {
  writeWith(change)
  await parley.read()
  await parley.settle()
  expect(answers()).toEqual([1, 0, 1])
  expect(await listed()).toEqual([`apply_failed ${talks[1].id}`])
  expect(parley.messaging.passed).toContain(talks[1].id)
})

test('an event that cannot be read and names no conversation holds up nobody, and stands on the list', async () => {
  writeWith(() => ({ type: 'message.dreamt', conversationId: { $ne: null } }))
  await parley.settle()
  expect(answers()).toEqual([1, 0, 1])
  expect(await listed()).toEqual(['apply_failed undefined'])
})

test('an event that cannot be applied goes to people after five tries, and those behind it go on', async () => {
  writeWith((event) => ({ snapshot: { ...event.snapshot, contact: { ...event.snapshot?.contact, id: 'no-id' } } }))
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await listed()).toEqual([])
    await parley.read()
  }
  await parley.settle()
  expect(answers()).toEqual([1, 0, 1])
  expect(await listed()).toEqual([`apply_failed ${talks[1].id}`])
  expect(parley.messaging.passed).toContain(talks[1].id)
})

test('what no bot wants is told to messaging, however long that is away', async () => {
  const [first, second] = talks
  parley.messaging.missReads(2)
  for (const talk of [first, second]) {
    parley.messaging.say(talk, { text: 'something else' })
    await expect(parley.read()).rejects.toMatchObject({ code: 'service_unavailable' })
  }
  expect([parley.messaging.passed, first.waits, second.waits]).toEqual([[], false, false])
  await parley.settle()
  expect([new Set(parley.messaging.passed), first.waits, second.waits]).toEqual([
    new Set([first.id, second.id]),
    true,
    true,
  ])
  await parley.settle()
  expect(parley.messaging.passed).toHaveLength(2)
})

test('a long answer is taken whole although messaging is away for a moment, and as it is where it was erased', async () => {
  let isAway = false
  const joined = database.join((scope, endpoint, request) =>
    isAway && endpoint.operation === 'internal.messages.text'
      ? Promise.reject(errors.serviceUnavailable())
      : joined.messaging.ask(scope, endpoint, request),
  )
  parley = joined
  const asking = [
    keyword('tell', 'tell'),
    { id: 'ask', kind: 'ask' as const, text: 'What is broken?', attribute: 'broken' },
    text('thanks', 'Thanks.'),
    end,
  ]
  parley.addBot(flowOf(asking, ['tell next ask', 'ask next thanks', 'thanks next end']))
  await parley.feed.begin(parley.scope)
  const [whole, erased] = [parley.messaging.open(), parley.messaging.open()]
  for (const talk of [whole, erased]) parley.messaging.say(talk, { text: 'tell' })
  await parley.settle()
  const long = 'The wheel. '.repeat(80).trim()
  isAway = true
  parley.messaging.say(whole, { text: long })
  parley.messaging.deleted.add(parley.messaging.say(erased, { text: long }))
  await parley.read()
  isAway = false
  await parley.settle()
  expect(whole.attributes['broken']).toBe(long)
  expect(erased.attributes['broken']).toHaveLength(300)
  expect(await listed()).toEqual([])
})

test('what a session leaves to people is told to messaging, whatever dies where it ends', async () => {
  const [talk] = talks
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.settle()
  parley.messaging.tap(talk, 'A table')
  await parley.read()
  const by = { kind: 'workflow' as const, id: newId(), runId: newId() }
  const actions = [{ key: newId(), type: 'claim' as const, botId: by.id }]
  const body = { conversationId: talk.id, by, chain: [], actions }
  await parley.messaging.ask(parley.scope, messagingInternalApi.actions, { body })
  parley.messaging.say(talk, { text: 'Rao' })
  while (await parley.read());
  await parley.work()
  expect((await parley.runs())[0]).toMatchObject({ status: 'ended' })
  // The sweep finds it: nothing new is in the log.
  expect(await parley.feed.due()).toEqual([parley.scope.workspaceId])
  await parley.settle()
  expect([talk.waits, await parley.items(), await parley.feed.due()]).toEqual([true, [], []])
})
