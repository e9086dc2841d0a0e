import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import { dayExpiry, dayOf, type FlowDayRecord, flowDaySchema, noTally, plus, type Tally } from './flow-days.model.ts'
import type { RunRecord } from './runs.model.ts'

const maxParts = 1000

type Begun = Pick<RunRecord, 'flowId' | 'createdAt'>
/** A change of the figures of the runs that began with one. */
type Change = Begun & { readonly tally: Tally }

/** Figures of each flow by the days on which its runs began. */
export function createFlowDays(connection: ServiceConnection) {
  const definition = { connection, name: 'flowDays', schema: flowDaySchema, bookkeeping: true } as const
  const days = workspaceCollection<FlowDayRecord>(definition)
  const freshDays = scopedCollection<{ fresh: 'new' }, FlowDayRecord>(definition, (scope) => ({ ...scope }))

  /** Adds runs that begin, in the transaction that stores them: as parts of their own, so that no two meet at one record. */
  async function begin(scope: WorkspaceScope, started: readonly Begun[], { session }: Session): Promise<void> {
    if (started.length === 0) return
    const parts = byDay(started.map((run) => ({ ...run, tally: { ...noTally, begun: 1 } })))
    await days(scope).insertPlain(
      parts.map((part) => ({ ...part, part: newId(), fresh: 'new' as const, expireAt: dayExpiry(part.day) })),
      { session },
    )
  }

  /** Adds to the sums. */
  async function add(scope: WorkspaceScope, changes: readonly Change[], { session }: Session): Promise<void> {
    if (changes.length === 0) return
    await days(scope).bulkWrite(
      byDay(changes).map(({ flowId, day, ...$inc }) => ({
        updateOne: {
          filter: { flowId, day, part: 'sum' },
          update: { $inc, $setOnInsert: { expireAt: dayExpiry(day) } },
          upsert: true,
        },
      })),
      { session },
    )
  }

  /** Makes parts of runs that have begun part of the sums. @returns whether there may be more. */
  async function fold(transaction: <T>(work: (tx: Session) => Promise<T>) => Promise<T>): Promise<boolean> {
    const parts = await freshDays({ fresh: 'new' }).find({}).sort({ _id: 1 }).limit(maxParts).hint('fresh')
    for (const [workspaceId, own] of Map.groupBy(parts, (part) => part.workspaceId))
      await transaction(async (tx) => {
        const scope = { workspaceId }
        const { deletedCount } = await days(scope).deleteMany(
          { _id: { $in: own.map(({ id }) => id) } },
          { session: tx.session },
        )
        if (deletedCount !== own.length) throw new Error('these starts were counted by another worker')
        await add(
          scope,
          own.map(({ flowId, day, ...tally }) => ({ flowId, createdAt: day, tally })),
          tx,
        )
      })
    return parts.length === maxParts
  }

  /** Stores the figures of past runs of the sample: told again, they are the same. */
  const tell = async (scope: WorkspaceScope, changes: readonly Change[]): Promise<void> => {
    await days(scope).bulkWrite(
      byDay(changes).map(({ flowId, day, ...tally }) => ({
        updateOne: { filter: { flowId, day, part: 'sample' }, update: { $set: tally }, upsert: true },
      })),
    )
  }

  return { days, begin, add, fold, tell }
}

/** Adds up changes by flow and day. */
function byDay(changes: readonly Change[]): (Pick<FlowDayRecord, 'flowId' | 'day'> & Tally)[] {
  const sums = new Map<string, Pick<FlowDayRecord, 'flowId' | 'day'> & Tally>()
  for (const { flowId, createdAt, tally } of changes) {
    const day = dayOf(createdAt)
    const key = `${flowId} ${day.getTime()}`
    sums.set(key, { flowId, day, ...plus(sums.get(key) ?? noTally, tally) })
  }
  // One order for all: two that add meet at the first record.
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum)
}
