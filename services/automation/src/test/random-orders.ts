import fc from 'fast-check'
import { expect } from 'vitest'
import type { Joined } from './start-runs.ts'
import { type Talk, tapped } from './talk.ts'

/** Steps in any order: customers write and tap, people take over and close, workers read and die, time passes. @param words of customers. */
export const commandsOf = (words: readonly string[]) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('say' as const), who: fc.nat(1), word: fc.constantFrom(...words) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('tap' as const), who: fc.nat(1), back: fc.nat(3) }) },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constantFrom('read' as const, 'serve' as const, 'work' as const),
        by: fc.nat(1),
      }),
    },
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
        kind: fc.constant('flow' as const),
        bot: fc.nat(7),
        act: fc.constantFrom(
          'publish' as const,
          'replace' as const,
          'pause' as const,
          'resume' as const,
          'delete' as const,
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('give' as const), who: fc.nat(1), bot: fc.nat(7) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('hold' as const, 'release' as const, 'cancel' as const) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('fail' as const, 'lose' as const, 'miss' as const),
        calls: fc.integer({ min: 1, max: 3 }),
      }),
    },
  )
type Command = ReturnType<typeof commandsOf> extends fc.Arbitrary<infer C> ? C : never

/** Reads new events and delivers what they have given to sessions, as a worker does. */
async function serve({ scope }: Joined, worker: Scene['workers'][number] | undefined): Promise<void> {
  let delivered: Promise<void> | undefined
  await worker?.feed.readOn(scope, (...leased) => {
    delivered = worker.deliverLeased(...leased)
  })
  await delivered
}

/** Has one thing happen. */
export async function carryOut(command: Command, { parley, talks, workers, bots }: Scene): Promise<void> {
  const { messaging, service, scope } = parley
  const named = 'who' in command ? talks[command.who] : undefined
  const talk = named?.merged ? messaging.talks.get(named.merged.id) : named
  switch (command.kind) {
    case 'say':
      if (talk) messaging.say(talk, { text: command.word })
      return
    case 'tap': {
      const option = talk?.sent.flatMap(({ options }) => options).at(-1 - command.back)
      if (talk && option) messaging.say(talk, tapped(option))
      return
    }
    case 'read':
      // A worker that dies reads again later.
      await workers[command.by]?.feed.readOn(parley.scope).catch(() => undefined)
      return
    case 'serve':
      await serve(parley, workers[command.by]).catch(() => undefined)
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
      return
    case 'miss':
      messaging.missReads(command.calls)
      return
    case 'flow': {
      const bot = bots[command.bot % bots.length]
      if (bot) await changeFlow(parley, bot, command.act)
      return
    }
    case 'give': {
      const bot = bots[command.bot % bots.length]
      // It is refused while somebody has the conversation, or the bot is gone.
      if (talk && bot) await service.start(scope, bot.id, talk.id).catch(() => undefined)
      return
    }
    case 'merge': {
      const [kept, other] = talks
      if (kept && other) messaging.people.merge(kept, other, other.merged && true)
      return
    }
    case 'hold':
      await parley.hold()
      return
    case 'release':
    case 'cancel':
      for (const { _id, live } of await parley.runs())
        if (live) await service[command.kind](scope, String(_id)).catch(() => undefined)
  }
}

type Bot = ReturnType<Joined['addBot']>
type FlowAct = Extract<Command, { kind: 'flow' }>['act']

/** Changes a bot while its sessions run. `publish` lets them finish, `replace` ends those of older versions. */
async function changeFlow(parley: Joined, bot: Bot, act: FlowAct): Promise<void> {
  if (act === 'pause' || act === 'resume') {
    parley.pause(bot, act === 'pause')
    return
  }
  if (act === 'delete') {
    parley.remove(bot)
    await parley.endRuns(bot.id, { reason: 'The bot was deleted.' })
    return
  }
  parley.publish(bot, bot.flow)
  if (act === 'replace') await parley.endRuns(bot.id, { reason: 'A newer version runs.', except: bot.versions.length })
}

export interface Scene {
  readonly parley: Joined
  readonly talks: readonly Talk[]
  readonly workers: readonly Pick<Joined, 'feed' | 'drain' | 'deliverLeased'>[]
  readonly bots: readonly Bot[]
}

/**
 * Messages of the customer that nobody has answered, in a conversation that no person has or is asked to take. That one is unread is not
 * enough: nobody is assigned for it.
 */
function swallowed({ log, owner, personAt, waits, id, others }: Talk, known: ReadonlySet<string>): string[] {
  const isListed = [id, ...others].some((one) => known.has(one))
  if (waits || owner.kind === 'member' || personAt !== null || isListed) return []
  return log.filter(
    (entry, index) =>
      entry.startsWith('customer') && !log.slice(index + 1).some((later) => !later.startsWith('customer')),
  )
}

/** Lets everything that is under way come to its end, with messaging there. */
export async function comeToRest({ parley, talks }: Scene): Promise<void> {
  const { messaging } = parley
  messaging.fail(0)
  messaging.loseAnswers(0)
  messaging.missReads(0)
  await parley.settle()
  messaging.pass(61_000)
  await parley.settle()
  messaging.pass(16_000)
  await parley.settle()
  await expectSeen(parley, talks)
  await endAll(parley)
}

/** A customer who waits for a person is hidden by no bot that does not listen to them. */
async function expectSeen(parley: Joined, talks: readonly Talk[]): Promise<void> {
  const held = (await parley.runs()).flatMap(({ holds, conversationId }) => (holds ? String(conversationId) : []))
  const known = [...held, ...(await parley.items()).map(({ conversationId }) => String(conversationId))]
  expect(talks.filter(({ owner, waits, id }) => owner.kind === 'bot' && waits && !known.includes(id))).toEqual([])
}

/** Steps of time after which a colleague ends what still goes on: flows may be circles. */
const maxTurns = 12

/** Lets time pass until no session is under way: none is an excuse for a message without an answer. */
async function endAll(parley: Joined): Promise<void> {
  const live = async () => (await parley.runs()).filter((run) => run['live'])
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const found = await live()
    if (found.length === 0) return
    const next = Math.min(...found.map(({ dueAt }) => Number(dueAt ?? Number.POSITIVE_INFINITY)))
    const now = await parley.messaging.now()
    if (Number.isFinite(next)) parley.messaging.pass(Math.max(0, next - now) + 1)
    else parley.messaging.pass(61_000)
    await parley.settle()
  }
  for (const { _id } of await live()) await parley.service.cancel(parley.scope, String(_id))
  await parley.settle()
  expect(await live()).toEqual([])
}

/** Bot messages after one of a person, with nothing between that gives the conversation back. */
const overPersons = ({ log }: Talk): string[] =>
  log.filter((entry, index) => {
    const last = log.slice(0, index).findLast((before) => before === 'person' || before === 'closed')
    return entry.startsWith('bot') && last === 'person'
  })

/** Nothing was done twice, said over a person, or left without an answer, a person or an entry of the list. */
export async function expectNothingLost({ parley, talks }: Scene): Promise<void> {
  const keys = talks.flatMap(({ sent }) => sent.map(({ key }) => key))
  expect(keys.length).toBe(new Set(keys).size)
  for (const talk of talks) expect(overPersons(talk)).toEqual([])
  const listed = new Set((await parley.items()).map(({ conversationId }) => String(conversationId)))
  const runs = await parley.runs()
  for (const talk of talks) expect(swallowed(talk, listed)).toEqual([])
  expect(runs.filter(({ status, todo }) => status === 'ended' && todo)).toEqual([])
  for (const { id } of talks)
    expect(runs.filter((run) => String(run['conversationId']) === id && run['holds']).length).toBeLessThan(2)
  // Each conversation of a bot has a session that holds it.
  for (const talk of talks.filter(({ owner, merged }) => owner.kind === 'bot' && !merged))
    expect(runs.some((run) => String(run['conversationId']) === talk.id && run['live'])).toBe(true)
}
