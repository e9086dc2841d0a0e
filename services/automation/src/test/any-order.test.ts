import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyMessage, booking, end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { carryOut, comeToRest, commandsOf, expectNothingLost } from './random-orders.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

/** Branches that the fixtures do not have: a pause, a reply without an answer, another bot, a word that interrupts, a wait that others may use. */
function addBots(parley: Joined) {
  const first = [parley.addBot(booking, { collectSeconds: 1.5 }), parley.addBot(greeting)]
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
  const pauses = parley.addBot(pausing, { collectSeconds: 1.5 })
  const quiet = flowOf(
    [
      keyword('quiet', 'quiet'),
      text('more', 'Anything else?'),
      { id: 'reply', kind: 'wait_reply', timeoutSeconds: 600 },
      { id: 'tag', kind: 'add_tag', tag: 'quiet' },
    ],
    ['quiet next more', 'more next reply', 'reply reply tag'],
  )
  const asks = parley.addBot(quiet)
  const helping = flowOf(
    [keyword('help', 'help', { interrupts: true }), text('helped', 'Helped.')],
    ['help next helped'],
  )
  const helper = parley.addBot(helping)
  const going = parley.addBot(
    flowOf([keyword('go', 'go'), { id: 'to', kind: 'go_to_bot', botId: helper.id }], ['go next to']),
  )
  const resting = flowOf(
    [
      keyword('tomorrow', 'tomorrow'),
      text('bye', 'Until tomorrow.'),
      { id: 'rest', kind: 'wait_time', seconds: 3600 },
      { id: 'again', kind: 'ask', text: 'Still interested?', attribute: 'interest', timeoutSeconds: 600 },
      end,
    ],
    ['tomorrow next bye', 'bye next rest', 'rest next again', 'again next end'],
  )
  const rests = parley.addBot(resting)
  const welcomes = parley.addBot(
    flowOf([{ ...anyMessage, when: 'first' }, text('welcome', 'Welcome.')], ['any next welcome']),
    { collectSeconds: 1.5 },
  )
  return [...first, pauses, asks, helper, going, welcomes, rests]
}

const words = [
  'book',
  'hi',
  'later',
  'tomorrow',
  'quiet',
  'help',
  'go',
  'a human please',
  'A table',
  'Rao',
  'something else',
] as const

test('in whatever order things happen and break off: nothing twice, nothing over a person, no message swallowed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commandsOf(words), { minLength: 5, maxLength: 30 }), async (all) => {
      const parley = database.join()
      const { messaging } = parley
      const bots = addBots(parley)
      await parley.feed.begin(parley.scope)
      const scene = {
        parley,
        talks: [messaging.open('Asha'), messaging.open('Ravi')],
        workers: [parley, parley.create()],
        bots,
      }
      for (const command of all) await carryOut(command, scene)
      await comeToRest(scene)
      expect(messaging.overPeople).toEqual([])
      await expectNothingLost(scene)
    }),
    {
      numRuns: Number(process.env['ORDERS'] ?? 60),
      endOnFailure: true,
      ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
    },
  )
})
