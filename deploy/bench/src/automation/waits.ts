import { type Document, ObjectId } from 'mongodb'
import { until, withCleanUp } from '../program.ts'
import { log } from '../report.ts'
import type { Rig } from './rig.ts'

const chunk = 5000
const hourMs = 3_600_000

/** Examined and found documents of the sweeps while some waits came due, and how long one sweep took. */
export interface Sweep {
  readonly waiting: number
  readonly perDue: number
  readonly keysPerDue: number
  readonly sweepMs: number
}

/** Fills a workspace with sessions that wait, as copies of one that the worker has left. */
async function fill({ db }: Rig, count: number): Promise<void> {
  const runs = db.collection('runs')
  const model: Document | null = await runs.findOne({ outcome: 'completed' })
  if (!model) throw new Error('the worker has left no session')
  const { _id, outcome: _o, endedAt: _e, expireAt: _x, ...fields } = model
  for (let made = 0; made < count; made += chunk)
    await runs.insertMany(
      Array.from({ length: Math.min(chunk, count - made) }, (_, index) => ({
        ...fields,
        _id: new ObjectId(),
        workspaceId: new ObjectId(),
        contactId: new ObjectId(),
        conversationId: new ObjectId(),
        startedBy: { eventId: new ObjectId().toHexString(), triggerId: 'start' },
        status: 'waiting',
        live: true,
        holds: true,
        dueAt: new Date(Date.now() + 24 * hourMs + made + index),
        dueFor: 'timer',
        dueLane: String(index % 64),
      })),
      { ordered: false },
    )
}

/**
 * Has some of very many waits come due under a running worker, and reads of the profiler what its sweeps have looked at. Of other
 * people's waits a sweep is to read none.
 */
export async function measureSweeps(rig: Rig, sizes: readonly number[], due: number): Promise<Sweep[]> {
  const { db, startWorker } = rig
  const runs = db.collection('runs')
  const measured: Sweep[] = []
  let there = 0
  for (const size of sizes) {
    log(`${size.toLocaleString('en')} sessions wait …`)
    await fill(rig, size - there)
    there = size
    await withCleanUp(async (ended) => {
      ended.use(await startWorker())
      await db.command({ profile: 2 })
      const chosen = await runs.find({ dueFor: 'timer' }).limit(due).project({ _id: 1 }).toArray()
      const dueAt = new Date(Date.now() - 1000)
      await runs.updateMany({ _id: { $in: chosen.map(({ _id }) => _id) } }, { $set: { dueAt } })
      const isOver = async () => (await runs.countDocuments({ dueAt: { $lte: new Date() }, dueFor: 'timer' })) === 0
      await until('they have gone on', isOver, { limitMs: 300_000 })
      await db.command({ profile: 0 })
    })
    measured.push({ waiting: size, ...(await sweepsIn(rig)) })
    await db.collection('system.profile').drop()
    there -= due
  }
  return measured
}

/** Queries by the time at which runs are due, of the worker alone. */
async function sweepsIn({ db }: Rig): Promise<Omit<Sweep, 'waiting'>> {
  const sweeps = await db
    .collection('system.profile')
    .find({ op: 'query', ns: `${db.databaseName}.runs`, 'command.hint': { $in: ['due', 'due-in-lane'] } })
    .toArray()
  const sum = (pick: (entry: Document) => number) => sweeps.reduce((total, entry) => total + pick(entry), 0)
  const found = sum(({ nreturned }) => nreturned ?? 0)
  if (found === 0) throw new Error('no sweep has found anything')
  const unindexed = sweeps.find(({ planSummary }) => !String(planSummary).startsWith('IXSCAN'))
  if (unindexed) throw new Error(`a sweep was carried out by ${unindexed['planSummary']}`)
  return {
    perDue: sum(({ docsExamined }) => docsExamined ?? 0) / found,
    keysPerDue: sum(({ keysExamined }) => keysExamined ?? 0) / found,
    sweepMs: sum(({ millis }) => millis ?? 0) / sweeps.length,
  }
}
