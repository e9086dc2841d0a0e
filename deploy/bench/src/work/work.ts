import type { Redis } from 'ioredis'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { commandCalls } from '../capacity/costs.ts'
import { cpuMicroseconds } from '../machine.ts'

const count = z.coerce.number()
const counts = z.record(z.string(), count)
const serverStatusSchema = z.object({
  opcounters: counts,
  metrics: z.object({
    document: counts,
    operation: z.object({ writeConflicts: count }),
    queryExecutor: z.looseObject({ scanned: count, scannedObjects: count }),
  }),
  wiredTiger: z.object({ cursor: z.record(z.string(), z.unknown()), log: z.object({ 'log bytes written': count }) }),
})

/** Work that MongoDB and workers have done up to now, by name; names of CPU are in microseconds, that of the journal in bytes. */
export type Work = Readonly<Record<string, number>>

/** Reads counters of the whole server: what another client does meanwhile counts as well. */
export async function readWork(
  { db, redis }: { readonly db: Db; readonly redis: Redis },
  pids: { readonly mongodb: number; readonly workers: readonly number[] },
): Promise<Work> {
  const { opcounters, metrics, wiredTiger } = serverStatusSchema.parse(await db.admin().command({ serverStatus: 1 }))
  const redisCalls = Object.values(commandCalls(await redis.info('commandstats')))
  const ofCursors = (name: string) => Number(wiredTiger.cursor[name])
  return {
    'MongoDB CPU, µs': cpuMicroseconds(pids.mongodb),
    'worker CPU, µs': pids.workers.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0),
    'insert statements': opcounters['insert'] ?? 0,
    'updates of documents': metrics.document['updated'] ?? 0,
    inserts: metrics.document['inserted'] ?? 0,
    'documents read': metrics.document['returned'] ?? 0,
    'documents examined': metrics.queryExecutor.scannedObjects,
    'keys examined': metrics.queryExecutor.scanned,
    commands: (opcounters['command'] ?? 0) + (opcounters['query'] ?? 0) + (opcounters['getmore'] ?? 0),
    // Documents, index keys and entries of the log of operations.
    'keys and documents added': ofCursors('cursor insert calls'),
    'keys and documents removed': ofCursors('cursor remove calls'),
    'write conflicts': metrics.operation.writeConflicts,
    'Redis commands': redisCalls.reduce((sum, calls) => sum + calls, 0),
    'journal, bytes': wiredTiger.log['log bytes written'],
  }
}

interface Spent {
  readonly before: Work
  readonly after: Work
  /** Time between them, and what is done in a second of it anyway. */
  readonly seconds?: number
  readonly idle?: Work
}

/** Returns what each of `of` pieces of work has taken, without what is done while nothing is asked for. */
export const workOfEach = ({ before, after, seconds = 0, idle = {} }: Spent, of: number): Work =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      (value - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / of,
    ]),
  )
