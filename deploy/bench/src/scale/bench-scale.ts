import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inTurns, runLoad } from '../load.ts'
import { type Rig, startRig } from '../messaging/rig.ts'
import { inboundText } from '../messaging/webhooks.ts'
import { until, withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, report } from '../report.ts'
import { seedWorkspace } from '../seed/seed-workspace.ts'
import { readWork, type Work, workOfEach } from '../work/work.ts'
import { addWorkspaces } from './add-workspaces.ts'

/**
 * `npm run bench -- scale`: what a message of a customer, a reply and a page of a list take of MongoDB as a workspace grows, beside more
 * workspaces, and with more workers. It counts commands, documents, keys and bytes, so that other work on the machine changes nothing.
 * `--only data|workspaces|workers` measures one of the three, `--most <n>` leaves out larger ones, `--short` proves that the bench works.
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    most: { type: 'string', default: '1000000' },
    short: { type: 'boolean', default: false },
  },
})
interface Point {
  readonly messages: number
  readonly workspaces: number
  readonly workers: number
}
const smallest: Point = flags.short
  ? { messages: 200, workspaces: 1, workers: 1 }
  : { messages: 10_000, workspaces: 1, workers: 1 }
const growth: Record<keyof Point, readonly number[]> = flags.short
  ? { messages: [400], workspaces: [5], workers: [2] }
  : { messages: [100_000, 1_000_000], workspaces: [100, 10_000], workers: [2, 4] }
const titles = { messages: 'data', workspaces: 'workspaces', workers: 'workers' } as const
const kinds = Object.keys(titles) as (keyof Point)[]
/** Pieces of work that are counted together, and as many before them that are not. */
const pieces = flags.short ? 20 : 400
const customers = flags.short ? 10 : 100
const connections = 8
const idleMs = 5000
const maxTimes = 1.2
const countedKinds = ['commands', 'documents examined', 'keys examined', 'keys and documents added', 'journal, bytes']

console.log(`load before the run ${loadNow()}; ${pieces} of each`)
const measures: Measure[] = []
for (const kind of kinds.filter((one) => flags.only === undefined || titles[one] === flags.only)) {
  const sizes = growth[kind].filter((size) => size <= Number(flags.most))
  const first = await measurePoint(smallest)
  for (const size of sizes) {
    const grown = await measurePoint({ ...smallest, [kind]: size })
    const of = `${size.toLocaleString('en')} ${kind} beside ${smallest[kind].toLocaleString('en')}`
    for (const [name, value] of Object.entries(grown))
      measures.push({ name: `${name}, ${of}`, values: [ratioOf(value, first[name] ?? 0)], goal: { atMost: maxTimes } })
  }
  for (const [name, value] of Object.entries(first)) measures.push({ name, values: [value] })
}
report(measures)

/** Two counts below one piece of work in ten are the same: what is done now and then. */
function ratioOf(value: number, before: number): number {
  return Math.max(value, 0.1) / Math.max(before, 0.1)
}

/** Measures each operation in a stack of its own. @returns counts of one piece of work, by operation and kind. */
function measurePoint({ messages, workspaces, workers }: Point): Promise<Record<string, number>> {
  return withCleanUp(async (cleanUp) => {
    log(`${messages} messages, ${workspaces} workspaces, ${workers} workers …`)
    const rig = await startRig(1, cleanUp)
    const number = await rig.db.collection('numbers').findOne()
    if (!number) throw new Error('no number is connected')
    const sizes = { contacts: messages / 10, conversations: messages / 20, messages }
    await seedWorkspace(rig.db, number['workspaceId'], { sizes })
    const running = await Promise.all(Array.from({ length: workers }, async () => cleanUp.use(await rig.startWorker())))
    const pids = { mongodb: rig.mongodbPid, worker: running[0]?.pid() ?? 0 }
    await customersWrite(rig)
    await untilIdle(rig)
    if (workspaces > 1) await addWorkspaces(rig.db, number['workspaceId'], workspaces - 1)

    const writers = await rig.db
      .collection('contacts')
      .find({ phone: /^\+9196/ })
      .limit(customers)
      .toArray()
    const contactId = { $in: writers.map(({ _id }) => _id) }
    const written = await rig.db.collection('conversations').find({ contactId }).toArray()
    const threads = written.map(({ _id }) => _id.toHexString())
    const ask = (path: string) => rig.person.ask('GET', path)
    const operations: Record<string, () => Promise<unknown>> = {
      'a message of a customer': () => customersWrite(rig),
      'a reply': () =>
        inTurns({ count: pieces, atOnce: connections }, async (turn) => {
          const content = { type: 'text', text: 'It is on its way.' }
          await rig.person.ask('POST', `/api/conversations/${threads[turn % threads.length]}/messages`, { content })
        }),
      'a page of the inbox': () =>
        inTurns({ count: pieces, atOnce: 1 }, async () => void (await ask('/api/conversations'))),
      'a page of contacts': () => inTurns({ count: pieces, atOnce: 1 }, async () => void (await ask('/api/contacts'))),
      'a page of a thread': () =>
        inTurns({ count: pieces, atOnce: 1 }, async (turn) => {
          await ask(`/api/conversations/${threads[turn % threads.length]}/messages`)
        }),
    }
    const counts: Record<string, number> = {}
    const idle = await measureIdle(rig, pids)
    counts['MongoDB commands in a second of nothing'] = idle['commands'] ?? 0
    for (const [name, work] of Object.entries(operations)) {
      // What a process has read for the first time stays with it.
      await work()
      await untilIdle(rig)
      const [before, begunAt] = [await readWork(rig.db, pids), performance.now()]
      await work()
      await untilIdle(rig)
      const seconds = (performance.now() - begunAt) / 1000
      const each = workOfEach({ before, after: await readWork(rig.db, pids), seconds, idle }, pieces)
      for (const kind of countedKinds) counts[`${name}: ${kind}`] = each[kind] ?? Number.NaN
    }
    return counts
  })
}

async function measureIdle({ db }: Rig, pids: { mongodb: number; worker: number }): Promise<Work> {
  const before = await readWork(db, pids)
  await delay(idleMs)
  return workOfEach({ before, after: await readWork(db, pids) }, idleMs / 1000)
}

/** Customers write, the same ones each time, until all of it is stored and applied. */
async function customersWrite(rig: Rig): Promise<void> {
  const { hook, lines } = rig
  const webhooks = Array.from({ length: pieces }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[0]?.phoneNumberId ?? '',
      from: `9196${String(index % customers).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'Is it here yet?',
    }),
  )
  await runLoad({ url: hook.url, requests: webhooks, connections })
}

function untilIdle(rig: Rig): Promise<void> {
  return until('nothing is going on', () => isIdle(rig), { limitMs: 300_000 })
}

/** Returns whether every webhook is applied, every message sent, and every event read. */
async function isIdle({ db }: Rig): Promise<boolean> {
  const some = (name: string, filter: object, hint: string) =>
    db.collection(name).countDocuments(filter, { hint, limit: 1 })
  if ((await some('rawEvents', { lane: { $gte: '' } }, 'pending')) > 0) return false
  if ((await some('events', { fresh: true }, 'fresh')) > 0) return false
  if ((await some('messages', { sendLane: { $gte: '' } }, 'outbox')) > 0) return false
  return (await db.collection('eventHeads').countDocuments({ 'due.0': { $exists: true } })) === 0
}
