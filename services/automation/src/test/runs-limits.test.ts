import { laneOf } from '@parley/service-kit/queue/lanes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskService } from '../platform/platform.ts'
import { flowOf, greeting, keyword, text } from './drawn-flows.ts'
import type { MessagingModel } from './messaging-model.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'
import type { Talk } from './talk.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

async function begin(): Promise<Joined> {
  const parley = database.join()
  await parley.feed.begin(parley.scope)
  return parley
}

/** Answers calls of two workspaces; calls with actions of one of them wait, and are counted. */
function holding(find: () => { held: MessagingModel; free: MessagingModel }) {
  const opened = Promise.withResolvers<void>()
  const counts = { now: 0, max: 0 }
  const ask: AskService = async (scope, endpoint, request) => {
    const { held, free } = find()
    if (scope.workspaceId === free.workspace.workspaceId) return free.ask(scope, endpoint, request)
    if (endpoint.operation !== 'internal.actions') return held.ask(scope, endpoint, request)
    counts.now += 1
    counts.max = Math.max(counts.max, counts.now)
    await opened.promise
    counts.now -= 1
    return held.ask(scope, endpoint, request)
  }
  return { ask, counts, goOn: opened.resolve }
}

/** A customer whose work lies in a lane. */
function openIn({ open }: MessagingModel, lane: number): Talk {
  for (;;) {
    const talk = open()
    if (laneOf(talk.contactId) === lane) return talk
  }
}

test('one workspace delivers sixteen times at once, however much it has to do', async () => {
  const other = await begin()
  const { ask, counts, goOn } = holding(() => ({ held: parley.messaging, free: other.messaging }))
  const parley = database.join(ask)
  await parley.feed.begin(parley.scope)
  parley.addBot(greeting)
  const talks = Array.from({ length: 40 }, () => parley.messaging.open())
  for (const talk of talks) parley.messaging.say(talk, { text: 'hi' })
  await parley.read()
  const working = Promise.all((await parley.lanes()).map((lane) => parley.drain(lane)))
  await expect.poll(() => counts.now).toBe(16)
  goOn()
  await working
  await parley.settle()
  expect(counts.max).toBe(16)
  expect(talks.map(({ sent }) => sent.length)).toEqual(talks.map(() => 1))
})

test('who has little to do does not stand behind a workspace with much, in the same lane', async () => {
  const other = await begin()
  const { ask, counts, goOn } = holding(() => ({ held: parley.messaging, free: other.messaging }))
  const parley = database.join(ask)
  await parley.feed.begin(parley.scope)
  for (const workspace of [parley, other]) workspace.addBot(greeting)
  for (let count = 0; count < 60; count += 1) parley.messaging.say(openIn(parley.messaging, 7), { text: 'hi' })
  await parley.read()
  other.messaging.pass(1000)
  const talk = openIn(other.messaging, 7)
  other.messaging.say(talk, { text: 'hi' })
  await other.read()
  parley.messaging.pass(2000)
  const working = parley.drain(7)
  await expect.poll(() => talk.sent.length).toBe(1)
  expect(counts.now).toBeGreaterThan(0)
  goOn()
  expect(await working).toBe(true)
  await parley.settle()
})

test('a bot sends at most sixty messages in an hour, however slowly', async () => {
  const parley = await begin()
  const six = flowOf(
    [keyword('six', 'six'), ...Array.from({ length: 6 }, (_, index) => text(`t${index}`, `${index}`))],
    ['six next t0', ...Array.from({ length: 5 }, (_, index) => `t${index} next t${index + 1}`)],
  )
  parley.addBot(six)
  const talk = parley.messaging.open()
  const round = async () => {
    parley.messaging.say(talk, { text: 'six' })
    await parley.settle()
    parley.messaging.pass(61_000)
  }
  for (let count = 0; count < 11; count += 1) await round()
  expect([talk.sent.length, talk.waits]).toEqual([60, true])
  expect((await parley.runs()).at(-1)).toMatchObject({ outcome: 'loop' })
  expect((await parley.items()).map(({ code }) => code)).toEqual(['loop'])
  parley.messaging.people.close(talk)
  parley.messaging.pass(3_600_000)
  await round()
  expect(talk.sent).toHaveLength(66)
})

test('a session of a thousand steps ends, and goes to people', async () => {
  const parley = await begin()
  const circle = flowOf(
    [keyword('round', 'round'), { id: 'ask', kind: 'ask', text: 'Again?', attribute: 'again' }],
    ['round next ask', 'ask next ask'],
  )
  parley.addBot(circle)
  const talk = parley.messaging.open()
  const say = async (word: string) => {
    parley.messaging.say(talk, { text: word })
    await parley.settle()
  }
  const setSteps = async (steps: number) => {
    for (const { _id } of await parley.runs())
      await database.database.connection.collection('runs').updateOne({ _id }, { $set: { steps } })
  }
  await say('round')
  await setSteps(990)
  await say('yes')
  expect((await parley.runs())[0]).toMatchObject({ status: 'waiting' })
  await setSteps(1000)
  await say('yes')
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'loop' })
  expect([talk.sent.length, talk.waits]).toEqual([2, true])
})

test('above the limit of live runs nothing begins: messages are for people, workflows and starts by hand are told', async () => {
  const parley = await begin()
  const asking = flowOf(
    [keyword('ask', 'ask'), { id: 'who', kind: 'ask', text: 'Who?', attribute: 'who' }],
    ['ask next who'],
  )
  const bot = parley.addBot(asking)
  const on = { id: 'on', kind: 'event' as const, event: 'contact.tag_added' }
  parley.addWorkflow(flowOf([on, { id: 'pause', kind: 'wait_time', seconds: 3600 }], ['on next pause']))
  const limited = parley.create({ maxLive: 2 })
  const talks = Array.from({ length: 3 }, () => parley.messaging.open())
  for (const talk of talks) parley.messaging.say(talk, { text: 'ask' })
  const [first, , third] = talks
  if (!first || !third) throw new Error('there are three')
  parley.messaging.tag(third, 'new')
  while (await limited.feed.readOn(parley.scope));
  await parley.work()
  expect((await parley.runs()).map(({ conversationId }) => String(conversationId))).toEqual(
    talks.slice(0, 2).map(({ id }) => id),
  )
  expect([parley.messaging.passed, third.waits, parley.decisions]).toEqual([[third.id], true, ['limit_reached']])
  expect(await parley.items()).toMatchObject([
    { code: 'limit_reached', count: 2, sentence: expect.stringContaining('has 2') },
  ])
  const refused = { code: 'limit_reached' }
  await expect(parley.create({ maxLive: 2 }).service.start(parley.scope, bot.id, third.id)).rejects.toMatchObject(
    refused,
  )
})
