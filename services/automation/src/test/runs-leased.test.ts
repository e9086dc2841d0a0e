import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskService } from '../platform/platform.ts'
import { flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'
import type { Talk } from './talk.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

/** A workspace in which some customers have written. The first calls with actions, one for each, wait until they may go on. */
async function begin(customers: number, { held }: { held: boolean }) {
  const opened = Promise.withResolvers<void>()
  let calls = 0
  const ask: AskService = async (scope, endpoint, request) => {
    if (endpoint.operation === 'internal.actions') {
      calls += 1
      if (held && calls <= customers) await opened.promise
    }
    return parley.messaging.ask(scope, endpoint, request)
  }
  const parley: Joined = database.join(ask)
  await parley.feed.begin(parley.scope)
  parley.addBot(greeting)
  const talks = Array.from({ length: customers }, () => parley.messaging.open())
  for (const talk of talks) parley.messaging.say(talk, { text: 'hi' })
  return { parley, talks, goOn: opened.resolve, calls: () => calls }
}

async function read({ feed, scope, deliverLeased }: Joined): Promise<void> {
  let delivered: Promise<void> | undefined
  await feed.readOn(scope, (...leased) => {
    delivered = deliverLeased(...leased)
  })
  await delivered
}
const sentTo = (talks: readonly Talk[]) => talks.map(({ sent }) => sent.length)

test('who applies a batch delivers it, without the lanes: each customer is answered once, each step is written', async () => {
  const { parley, talks, calls } = await begin(20, { held: false })
  await read(parley)
  expect(sentTo(talks)).toEqual(talks.map(() => 1))
  expect((await parley.runs()).map(({ status }) => status)).toEqual(talks.map(() => 'ended'))
  const perRun = Map.groupBy(await parley.steps(), ({ runId }) => String(runId))
  expect([...perRun.values()].map((steps) => steps.map(({ n }) => n))).toEqual(talks.map(() => [0, 1, 2]))
  await parley.work()
  expect(calls()).toBe(talks.length)
})

test('while it delivers no lane does; after the lease a worker that is stuck or dead is replaced, and nothing is sent twice', async () => {
  const { parley, talks, goOn, calls } = await begin(4, { held: true })
  await read(parley)
  const other = parley.create()
  await parley.work(other.drain)
  expect([calls(), sentTo(talks)]).toEqual([4, [0, 0, 0, 0]])
  parley.messaging.pass(11_000)
  await parley.work(other.drain)
  expect([calls(), sentTo(talks)]).toEqual([8, [1, 1, 1, 1]])
  goOn()
  await expect.poll(calls).toBeGreaterThanOrEqual(8)
  await parley.settle()
  expect(sentTo(talks)).toEqual([1, 1, 1, 1])
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(talks.map(() => 'completed'))
})

test('a run that somebody changes is read again, and does not hold up those that are stored together with it', async () => {
  const { parley, talks, goOn } = await begin(12, { held: true })
  const reading = read(parley)
  await expect.poll(async () => (await parley.runs()).length).toBe(12)
  const runs = database.database.connection.collection('runs')
  const changed = await runs.findOneAndUpdate(
    { conversationId: new Types.ObjectId(talks[3]?.id) },
    { $inc: { version: 1 }, $set: { missed: true } },
  )
  expect(changed).not.toBeNull()
  goOn()
  await reading
  await parley.settle()
  expect(sentTo(talks)).toEqual(talks.map(() => 1))
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(talks.map(() => 'completed'))
  // People read what its bot has missed.
  expect(talks.filter(({ waits }) => waits).map(({ id }) => id)).toEqual([talks[3]?.id])
})

test('of two workers that read the same events one applies them, and the other goes on behind it', async () => {
  const { parley, talks } = await begin(10, { held: false })
  const other = parley.create()
  const workers = [parley, { ...parley, ...other }]
  await Promise.all(workers.map(read))
  await parley.settle()
  expect(sentTo(talks)).toEqual(talks.map(() => 1))
  expect((await parley.items()).length).toBe(0)
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(talks.map(() => 'completed'))
})

test('a delivery that has failed waits since its first attempt', async () => {
  const { parley } = await begin(1, { held: false })
  parley.messaging.loseAnswers(2)
  await read(parley)
  const todoOf = async () => Object((await parley.runs())[0]?.['todo'])
  expect(await todoOf()).toMatchObject({ tries: 1 })
  parley.messaging.pass(2000)
  await parley.work()
  const { tries, since } = await todoOf()
  expect(tries).toBe(2)
  expect(await parley.oldestPendingAt(await parley.lanes())).toEqual(new Date(since))
  parley.messaging.pass(5000)
  await parley.settle()
  expect(await parley.oldestPendingAt(await parley.lanes())).toBe(undefined)
})

test('a wait that is over, and that nobody has gone on with, is told of with its time', async () => {
  const parley = database.join()
  await parley.feed.begin(parley.scope)
  const nodes = [keyword('hi', 'hi'), text('one', 'One'), { id: 'later', kind: 'wait_time' as const, seconds: 60 }]
  parley.addBot(flowOf([...nodes, text('two', 'Two')], ['hi next one', 'one next later', 'later next two']))
  parley.messaging.say(parley.messaging.open(), { text: 'hi' })
  await parley.settle()
  expect(await parley.oldestWaitEndAt()).toBe(undefined)
  parley.messaging.pass(61_000)
  expect(await parley.oldestWaitEndAt()).toEqual((await parley.runs())[0]?.['dueAt'])
  await parley.settle()
  expect(await parley.oldestWaitEndAt()).toBe(undefined)
})
