import { readFileSync } from 'node:fs'
import type { Redis } from 'ioredis'
import type { MongoClient } from 'mongodb'
import { z } from 'zod'
import { cpuMicroseconds } from '../auth/cpu-time.ts'

/** Everything that has been used up to now. */
export interface Meter {
  /** Microseconds of CPU by process. */
  readonly cpu: Readonly<Record<string, number>>
  /** Calls by Redis command. */
  readonly redisCommands: Readonly<Record<string, number>>
  readonly redisBytes: number
  /** Operations by kind, as `serverStatus` counts them. */
  readonly mongodbOperations: Readonly<Record<string, number>>
  /** Bytes of MongoDB's journal. */
  readonly journalBytes: number
  /** Data and indexes of the profile database. */
  readonly mongodbBytes: number
}

const serverStatusSchema = z.object({
  opcounters: z.record(z.string(), z.coerce.number()),
  wiredTiger: z.object({ log: z.object({ 'log bytes written': z.coerce.number() }) }),
})
const databaseSchema = z.object({ dataSize: z.coerce.number(), indexSize: z.coerce.number() })

interface Metered {
  /** Process ids by name. */
  readonly processes: Readonly<Record<string, number>>
  readonly redis: Redis
  readonly mongodb: MongoClient
}

export async function readMeter({ processes, redis, mongodb }: Metered): Promise<Meter> {
  const cpu = Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuMicroseconds(pid)]))
  const redisCommands = commandCalls(await redis.info('commandstats'))
  const redisBytes = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1])
  const status = serverStatusSchema.parse(await mongodb.db('admin').command({ serverStatus: 1 }))
  const database = databaseSchema.parse(await mongodb.db('parley_profile').command({ dbStats: 1 }))
  return {
    cpu,
    redisCommands,
    redisBytes,
    mongodbOperations: status.opcounters,
    journalBytes: status.wiredTiger.log['log bytes written'],
    mongodbBytes: database.dataSize + database.indexSize,
  }
}

/** `cmdstat_get:calls=12,usec=…` → `{ get: 12 }`, without what the measuring itself asks. */
export function commandCalls(info: string): Record<string, number> {
  const lines = [...info.matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)]
  const own = new Set(['info', 'ping', 'hello', 'select'])
  return Object.fromEntries(
    lines.flatMap(([, command = '', calls]) =>
      own.has(command.split('|')[0] ?? '') ? [] : [[command, Number(calls)]],
    ),
  )
}

/** What `count` operations have used, each. */
export function costOfEach(before: Meter, after: Meter, count: number) {
  const each = (earlier: Readonly<Record<string, number>>, later: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(later).flatMap(([name, value]) => {
        const per = (value - (earlier[name] ?? 0)) / count
        return per >= 0.005 ? [[name, Math.round(per * 100) / 100]] : []
      }),
    )
  return {
    cpuMicroseconds: each(before.cpu, after.cpu),
    redisCommands: each(before.redisCommands, after.redisCommands),
    redisBytes: Math.round((after.redisBytes - before.redisBytes) / count),
    mongodbOperations: each(before.mongodbOperations, after.mongodbOperations),
    journalBytes: Math.round((after.journalBytes - before.journalBytes) / count),
    mongodbBytes: Math.round((after.mongodbBytes - before.mongodbBytes) / count),
  }
}

/** Resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => memoryMiB(pid, 'VmRSS')

/** The most that it has had so far. */
export const peakMiB = (pid: number): number => memoryMiB(pid, 'VmHWM')

function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
}
