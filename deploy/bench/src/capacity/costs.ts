import type { Redis } from 'ioredis'
import type { MongoClient } from 'mongodb'
import { z } from 'zod'
import { cpuMicroseconds } from '../machine.ts'

type Counts = Readonly<Record<string, number>>

/** Resources used up to now. */
export interface Meter {
  /** Microseconds of CPU by process. */
  readonly cpu: Counts
  /** Calls by Redis command. */
  readonly redisCommands: Counts
  /** Operations by kind, as `serverStatus` counts them. */
  readonly mongodbOperations: Counts
  /** Bytes in Redis, in the profile database with its indexes, and in MongoDB's journal. */
  readonly bytes: Counts
}

const serverStatusSchema = z.object({
  opcounters: z.record(z.string(), z.coerce.number()),
  wiredTiger: z.object({ log: z.object({ 'log bytes written': z.coerce.number() }) }),
})
const databaseSchema = z.object({ dataSize: z.coerce.number(), indexSize: z.coerce.number() })

interface Metered {
  /** Process ids by name. */
  readonly processes: Counts
  readonly redis: Redis
  readonly mongodb: MongoClient
}

export async function readMeter({ processes, redis, mongodb }: Metered): Promise<Meter> {
  const status = serverStatusSchema.parse(await mongodb.db('admin').command({ serverStatus: 1 }))
  const { dataSize, indexSize } = databaseSchema.parse(await mongodb.db('parley_profile').command({ dbStats: 1 }))
  return {
    cpu: Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuMicroseconds(pid)])),
    redisCommands: commandCalls(await redis.info('commandstats')),
    mongodbOperations: status.opcounters,
    bytes: {
      redis: Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]),
      mongodb: dataSize + indexSize,
      journal: status.wiredTiger.log['log bytes written'],
    },
  }
}

/** `cmdstat_get:calls=12,usec=…` → `{ get: 12 }`, without what the measuring itself asks. */
export function commandCalls(info: string): Record<string, number> {
  const measuringCommands = new Set(['info', 'ping', 'hello', 'select'])
  const lines = [...info.matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)]
  const calls = lines.map(([, command = '', count]) => [command, Number(count)] as const)
  return Object.fromEntries(calls.filter(([command]) => !measuringCommands.has(command.split('|')[0] ?? '')))
}

/** Returns what each of `count` operations has used. */
export function costOfEach(before: Meter, after: Meter, count: number): Meter {
  const perOperation = (earlier: Counts, later: Counts) =>
    Object.fromEntries(
      Object.entries(later)
        .map(([name, value]) => [name, (value - (earlier[name] ?? 0)) / count] as const)
        .filter(([, per]) => per >= 0.005)
        .map(([name, per]) => [name, Math.round(per * 100) / 100]),
    )
  return {
    cpu: perOperation(before.cpu, after.cpu),
    redisCommands: perOperation(before.redisCommands, after.redisCommands),
    mongodbOperations: perOperation(before.mongodbOperations, after.mongodbOperations),
    bytes: perOperation(before.bytes, after.bytes),
  }
}
