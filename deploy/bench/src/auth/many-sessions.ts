import { join } from 'node:path'
import type { HotRecord } from '@parley/bff/session/session-record'
import { inTurns } from '../in-turns.ts'
import { writeRequests } from '../load.ts'
import type { BffUnderLoad } from './bff-under-load.ts'

const atOnce = 200
const tokenLength = 1100

/**
 * Adds live sessions through the BFF's own store, each of another account at the provider, with tokens as long as real ones.
 * @returns their cookie headers.
 */
export async function addSessions({ dependencies }: BffUnderLoad, hot: HotRecord, count: number): Promise<string[]> {
  const tokens = {
    idToken: 'i'.repeat(tokenLength),
    accessToken: 'a'.repeat(tokenLength),
    refreshToken: 'r'.repeat(tokenLength),
  }
  const visitor = { ip: '203.0.113.7', device: 'Chrome on Linux' }
  // Nothing is to be renewed while the load runs.
  const tokenExpiresAt = Math.floor(hot.endsAt / 1000)
  const cookies: string[] = []
  await inTurns({ count, atOnce }, async () => {
    const own = { sub: crypto.randomUUID(), sid: crypto.randomUUID() }
    const record = { ...hot, tokenExpiresAt, claims: { ...hot.claims, ...own } }
    const { secret } = await dependencies.store.create(record, tokens, visitor)
    cookies.push(`${dependencies.cookie.name}=${secret}`)
  })
  return cookies
}

/** A file of cookies for rounds of load. */
export const writeCookies = (folder: string, name: string, cookies: readonly string[]): string =>
  writeRequests(
    join(folder, `${name}.json`),
    cookies.map((cookie) => ({ headers: { cookie } })),
  )

/** Bytes that the data of the BFF's Redis takes (`MEMORY STATS`). */
export async function redisDataBytes({ dependencies: { redis } }: BffUnderLoad): Promise<number> {
  const stats: unknown[] = await redis.call('MEMORY', 'STATS').then((answer) => (Array.isArray(answer) ? answer : []))
  return Number(stats[stats.indexOf('dataset.bytes') + 1])
}
