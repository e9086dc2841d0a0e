import { type Document, ObjectId } from 'mongodb'
import { log, type Measure, percentile } from '../report.ts'
import type { Rig } from './rig.ts'

const chunk = 5000
const dayMs = 86_400_000
const days = 90
const asked = 100
const maxTimes = 1.3
/** Outcomes of runs, a twentieth of which failed and another lives. */
const outcomes = [...Array.from({ length: 18 }, () => 'completed'), 'failed', undefined] as const

const questions: readonly { readonly name: string; readonly path: (botId: string) => string }[] = [
  { name: 'runs', path: (id) => `/api/bots/${id}/runs` },
  { name: 'runs that failed', path: (id) => `/api/bots/${id}/runs?show=ended&outcome=failed` },
  { name: 'running ones', path: (id) => `/api/bots/${id}/runs?show=live` },
  { name: 'runs of a node', path: (id) => `/api/bots/${id}/runs?visited=thanks` },
  { name: 'counts of nodes', path: (id) => `/api/bots/${id}/counts?days=90` },
  { name: 'attention', path: () => '/api/attention?state=open' },
  { name: 'the list of bots', path: () => '/api/bots' },
]

/** A bot with runs of 90 days, as copies of one that the worker has left, spread evenly; counts of each day, and entries for people. */
async function fill({ db, workspaceIds }: Rig, place: number, size: number): Promise<string> {
  const workspaceId = new ObjectId(workspaceIds[place])
  const bot = await db.collection('bots').findOne({ workspaceId })
  const model: Document | null = await db.collection('runs').findOne({ outcome: 'completed' })
  if (!bot || !model) throw new Error('the worker has left no session')
  const flowId = bot._id
  const { _id, outcome: _o, endedAt: _e, expireAt: _x, holds: _h, conversationId: _c, uncounted: _u, ...fields } = model
  const first = Date.now() - days * dayMs
  for (let made = 0; made < size; made += chunk)
    await db.collection('runs').insertMany(
      Array.from({ length: Math.min(chunk, size - made) }, (_, index) => {
        const n = made + index
        const outcome = outcomes[n % outcomes.length]
        const createdAt = new Date(first + (n / size) * days * dayMs)
        const ended = outcome !== undefined && {
          outcome,
          status: 'ended',
          endedAt: createdAt,
          expireAt: new Date(2 ** 42),
        }
        return {
          ...fields,
          workspaceId,
          flowId,
          contactId: new ObjectId(),
          startedBy: { eventId: new ObjectId().toHexString(), triggerId: 'start' },
          createdAt,
          path: ['start', 'start>next', 'ask', 'ask>next', ...(n % 2 === 0 ? ['thanks'] : [])],
          ...(ended || { status: 'waiting', live: true }),
        }
      }),
      { ordered: false },
    )
  await addDays({ db }, { workspaceId, flowId })
  const day = (ago: number) => new Date((Math.floor(Date.now() / dayMs) - ago) * dayMs)
  await db.collection('runCounts').insertMany(
    Array.from({ length: days - 1 }, (_, ago) => ago + 1).flatMap((ago) =>
      ['start', 'ask', 'thanks', 'end'].flatMap((nodeId) =>
        ['entered', 'left:next'].map((what) => ({
          workspaceId,
          flowId,
          number: 1,
          day: day(ago),
          nodeId,
          what,
          count: 9,
        })),
      ),
    ),
  )
  // Entries that are alike are one: they grow with the causes, and here with the runs all the same.
  await db.collection('attention').insertMany(
    Array.from({ length: Math.ceil(size / 100) }, (_, n) => ({
      workspaceId,
      state: n % 10 === 0 ? 'open' : 'dismissed',
      groupKey: `loop:${n}`,
      code: 'loop',
      sentence: 'The bot runs in a loop.',
      flowId,
      count: 1,
      firstAt: new Date(first),
      lastAt: new Date(first + n * 1000),
    })),
  )
  return flowId.toHexString()
}

/** Adds the figures of each day that the worker would have kept. */
async function addDays({ db }: Pick<Rig, 'db'>, of: { workspaceId: ObjectId; flowId: ObjectId }): Promise<void> {
  const count = (...outcomes: readonly (string | null)[]) => ({
    $sum: { $cond: [{ $in: [{ $ifNull: ['$outcome', null] }, outcomes] }, 1, 0] },
  })
  const sums = await db
    .collection('runs')
    .aggregate([
      { $match: { ...of, path: { $exists: true } } },
      {
        $group: {
          _id: { $dateTrunc: { date: '$createdAt', unit: 'day' } },
          begun: { $sum: 1 },
          ended: count('completed', 'failed'),
          resolved: count('completed'),
        },
      },
    ])
    .toArray()
  await db
    .collection('flowDays')
    .insertMany(
      sums.map(({ _id, ...sum }) => ({ ...of, day: _id, part: 'before', ...sum, succeeded: sum['resolved'] })),
    )
}

/** Asks lists and figures of bots with very many runs, in turns with ones of fewer, and reads of the profiler what they look at. */
export async function measureLists(rig: Rig, sizes: readonly number[]): Promise<Measure[]> {
  const { db } = rig
  const bots: { size: number; wid: string; id: string }[] = []
  for (const [place, size] of sizes.entries()) {
    log(`${size.toLocaleString('en')} runs …`)
    const id = await fill(rig, place, size)
    bots.push({ size, wid: rig.workspaceIds[place] ?? '', id })
  }
  const measures: Measure[] = []
  for (const { name, path } of questions) {
    const times = new Map<number, number[]>(sizes.map((size) => [size, []]))
    for (let turn = -1; turn < asked; turn += 1)
      for (const { size, wid, id } of bots) {
        // A token lives two minutes.
        const ask = await rig.askAs(wid)
        const startedAt = performance.now()
        await ask('GET', path(id))
        if (turn >= 0) times.get(size)?.push(performance.now() - startedAt)
      }
    const p95 = (size: number) => percentile(times.get(size) ?? [], 0.95)
    const least = p95(Math.min(...sizes))
    for (const { size, wid, id } of bots) {
      const ask = await rig.askAs(wid)
      const { keys, documents } = await examined(rig, () => ask('GET', path(id)))
      const of = `${name}, ${size.toLocaleString('en')}`
      measures.push(
        { name: `${of}: p95`, values: [p95(size)], unit: 'ms' },
        { name: `${of}: of the smallest`, values: [p95(size) / least], goal: { atMost: maxTimes } },
        { name: `${of}: keys`, values: [keys] },
        { name: `${of}: documents`, values: [documents] },
      )
    }
  }
  await db.command({ profile: 0 })
  return measures
}

/** Counts what MongoDB looks at while something is asked. */
async function examined({ db }: Rig, ask: () => Promise<unknown>): Promise<{ keys: number; documents: number }> {
  await db.command({ profile: 0 })
  await db.collection('system.profile').drop()
  await db.command({ profile: 2 })
  await ask()
  await db.command({ profile: 0 })
  const entries = await db
    .collection('system.profile')
    .find({ op: { $in: ['query', 'command', 'getmore'] }, ns: { $not: /system\./ } })
    .toArray()
  const sum = (pick: (entry: Document) => number | undefined) =>
    entries.reduce((all, entry) => all + (pick(entry) ?? 0), 0)
  return { keys: sum(({ keysExamined }) => keysExamined), documents: sum(({ docsExamined }) => docsExamined) }
}
