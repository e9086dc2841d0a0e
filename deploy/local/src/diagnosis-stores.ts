import { openRedis } from '@parley/service-kit/core/redis-address'
import type { Document } from 'mongodb'
import { askMongodb } from './components/mongodb.ts'
import type { Source } from './problem.ts'

/** Oldest versions in which everything works that Parley uses. */
const oldest = { mongodb: 6, redis: 7 } as const

const majorOf = (version: string): number => Number(version.split('.')[0])

/** Returns what a MongoDB server says of itself; `undefined` where it does not answer. */
export async function lookAtMongodb(url: string): Promise<Source | undefined> {
  const [hello, build] = await Promise.all([askMongodb(url, { hello: 1 }), askMongodb(url, { buildInfo: 1 })])
  return hello && judgeMongodb(hello, String(build?.['version'] ?? ''))
}

/** @param hello answer of the command `hello` (MongoDB manual, Database Commands). */
export function judgeMongodb(hello: Document, version: string): Source {
  const { setName, primary, localTime } = hello
  if (!setName)
    return {
      verdict: 'problem',
      finding: 'is no replica set',
      remedy: 'Start it with --replSet and run rs.initiate(): changes of several records at once need one.',
    }
  if (!primary)
    return {
      verdict: 'problem',
      finding: `has no primary in its replica set ${setName}`,
      remedy: 'A majority of its members must run and reach each other: rs.status() names those that do not.',
    }
  const finding = `version ${version}, replica set ${setName}, primary ${primary}`
  if (version !== '' && majorOf(version) < oldest.mongodb)
    return {
      verdict: 'problem',
      finding: `is too old: ${finding}`,
      remedy: `Install MongoDB ${oldest.mongodb}.0 or newer.`,
    }
  const clock = localTime instanceof Date && judgeClock(localTime)
  if (clock) return clock
  return { verdict: 'ok', finding: `healthy, ${finding}` }
}

/** Returns what a Redis server says of itself; `undefined` where it does not answer. */
export async function lookAtRedis(url: string): Promise<Source | undefined> {
  const timeouts = { connectTimeout: 2000, commandTimeout: 2000 }
  const redis = openRedis(url, { ...timeouts, lazyConnect: true, retryStrategy: () => null })
  // Failures are the answer of the ping below.
  redis.on('error', () => {})
  try {
    await redis.connect()
    if ((await redis.ping()) !== 'PONG') return undefined
    return judgeRedis(await redis.info().catch(() => ''))
  } catch {
    return undefined
  } finally {
    redis.disconnect()
  }
}

/** @param info answer of the command `INFO`; empty where the user may not ask. */
export function judgeRedis(info: string): Source {
  const { role, maxmemory_policy, redis_version = '', valkey_version } = fieldsOf(info)
  if (role === undefined)
    return { verdict: 'note', finding: 'healthy; this user may not ask for its role and its policy' }
  if (role !== 'master')
    return { verdict: 'problem', finding: 'is a replica, which takes no writes', remedy: 'Name the primary instead.' }
  if (maxmemory_policy !== 'noeviction')
    return {
      verdict: 'problem',
      finding: `deletes keys when it is full (maxmemory-policy ${maxmemory_policy})`,
      remedy: 'Set maxmemory-policy to noeviction: sessions and queued work would be lost.',
    }
  const finding = `${valkey_version ? 'Valkey' : 'Redis'} ${valkey_version ?? redis_version}, ${maxmemory_policy}`
  if (majorOf(redis_version) < oldest.redis)
    return {
      verdict: 'problem',
      finding: `is too old: ${finding}`,
      remedy: `Install Redis ${oldest.redis} or Valkey 8, or newer.`,
    }
  return { verdict: 'ok', finding: `healthy, ${finding}` }
}

const fieldsOf = (info: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries([...info.matchAll(/^([\w-]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Seconds by which two clocks may differ: tokens are refused from ten on, and the time of an answer is told in whole seconds. */
const maxSkewSeconds = 8

/** Compares the clock of a server with that of this machine. @returns `undefined` where they agree, or it has told no time. */
export function judgeClock(theirs: Date, now = new Date()): Source | undefined {
  const seconds = Math.round((theirs.getTime() - now.getTime()) / 1000)
  if (!(Math.abs(seconds) > maxSkewSeconds)) return undefined
  return {
    verdict: 'problem',
    finding: `has a clock that is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of this machine`,
    remedy: 'Set both by NTP: sign-ins and signed requests are refused where clocks differ.',
  }
}
