import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyMessage, booking, end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import type { Talk } from './messaging-model.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

/** Branches that the fixtures do not have: a pause, a reply without an answer, another bot, a word that interrupts. */
function addBots(parley: Joined): void {
  parley.addBot(booking, { collectSeconds: 1.5 })
  parley.addBot(greeting)
  const pausing = flowOf(
    [
      keyword('later', 'later'),
      text('wait', 'One moment.'),
      { id: 'pause', kind: 'wait_time', seconds: 60 },
      { id: 'ask', kind: 'ask', text: 'Still there?', attribute: 'there', timeoutSeconds: 600 },
      end,
    ],
    ['later next wait', 'wait next pause', 'pause next ask', 'ask next end'],
  )
  parley.addBot(pausing, { collectSeconds: 1.5 })
  const quiet = flowOf(
    [
      keyword('quiet', 'quiet'),
      text('more', 'Anything else?'),
      { id: 'reply', kind: 'wait_reply', timeoutSeconds: 600 },
      { id: 'tag', kind: 'add_tag', tag: 'quiet' },
    ],
    ['quiet next more', 'more next reply', 'reply reply tag'],
  )
  parley.addBot(quiet)
  const helping = flowOf(
    [keyword('help', 'help', { interrupts: true }), text('helped', 'Helped.')],
    ['help next helped'],
  )
  const helper = parley.addBot(helping)
  parley.addBot(flowOf([keyword('go', 'go'), { id: 'to', kind: 'go_to_bot', botId: helper.id }], ['go next to']))
  parley.addBot(flowOf([{ ...anyMessage, when: 'first' }, text('welcome', 'Welcome.')], ['any next welcome']), {
    collectSeconds: 1.5,
  })
}

const words = [
  'book',
  'hi',
  'later',
  'quiet',
  'help',
  'go',
  'a human please',
  'A table',
  'Rao',
  'something else',
] as const

const commands = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('say' as const), who: fc.nat(1), word: fc.constantFrom(...words) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tap' as const), who: fc.nat(1), back: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'work' as const), by: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(400, 1600, 61_000, 700_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('person' as const),
      who: fc.nat(1),
      act: fc.constantFrom('assign' as const, 'reply' as const, 'phone' as const, 'close' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('fail' as const, 'lose' as const),
      calls: fc.integer({ min: 1, max: 3 }),
    }),
  },
)
type Command = typeof commands extends fc.Arbitrary<infer C> ? C : never

async function carryOut(command: Command, { parley, talks, workers }: Scene): Promise<void> {
  const { messaging } = parley
  const talk = 'who' in command ? talks[command.who] : undefined
  switch (command.kind) {
    case 'say':
      if (talk) messaging.say(talk, { text: command.word })
      return
    case 'tap': {
      const option = talk?.sent.flatMap(({ options }) => options).at(-1 - command.back)
      if (talk && option) messaging.say(talk, { type: 'interactive', text: option.title, choice: option.id })
      return
    }
    case 'read':
      // A worker that dies reads again later.
      await workers[command.by]?.feed.readOn(parley.scope).catch(() => undefined)
      return
    case 'work':
      await parley.work(workers[command.by]?.drain).catch(() => undefined)
      return
    case 'pass':
      messaging.pass(command.ms)
      return
    case 'person':
      if (talk) messaging.people[command.act](talk)
      return
    case 'fail':
      messaging.fail(command.calls)
      return
    case 'lose':
      messaging.loseAnswers(command.calls)
  }
}

interface Scene {
  readonly parley: Joined
  readonly talks: readonly Talk[]
  readonly workers: readonly Pick<Joined, 'feed' | 'drain'>[]
}

/** Messages of the customer that nobody has answered, and that nobody sees. */
function swallowed({ log, unread, waits, id }: Talk, listed: ReadonlySet<string>): string[] {
  if (waits || listed.has(id)) return []
  return log.flatMap((entry, index) => {
    const [who, messageId = ''] = entry.split(' ')
    if (who !== 'customer' || unread.includes(messageId)) return []
    return log.slice(index + 1).some((later) => !later.startsWith('customer')) ? [] : [entry]
  })
}

test('in whatever order things happen and break off: nothing twice, nothing over a person, no message swallowed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 5, maxLength: 30 }), async (all) => {
      const parley = database.join()
      const { messaging } = parley
      addBots(parley)
      await parley.feed.begin(parley.scope)
      const scene = {
        parley,
        talks: [messaging.open('Asha'), messaging.open('Ravi')],
        workers: [parley, parley.create()],
      }
      for (const command of all) await carryOut(command, scene)
      messaging.fail(0)
      messaging.loseAnswers(0)
      await parley.settle()
      messaging.pass(61_000)
      await parley.settle()
      messaging.pass(16_000)
      await parley.settle()
      const keys = scene.talks.flatMap(({ sent }) => sent.map(({ key }) => key))
      expect(keys.length).toBe(new Set(keys).size)
      expect(messaging.overPeople).toEqual([])
      const listed = new Set([
        ...messaging.passed,
        ...(await parley.items()).map(({ conversationId }) => String(conversationId)),
      ])
      for (const talk of scene.talks) expect(swallowed(talk, listed)).toEqual([])
      const runs = await parley.runs()
      expect(runs.filter(({ status, todo }) => status === 'ended' && todo)).toEqual([])
      for (const { id } of scene.talks)
        expect(runs.filter((run) => String(run['conversationId']) === id && run['holds']).length).toBeLessThan(2)
      // Each conversation that a bot owns has a live session that holds it.
      for (const talk of scene.talks.filter(({ owner }) => owner.kind === 'bot'))
        expect(runs.some((run) => String(run['conversationId']) === talk.id && run['live'])).toBe(true)
    }),
    {
      numRuns: Number(process.env['ORDERS'] ?? 60),
      endOnFailure: true,
      ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
    },
  )
})
