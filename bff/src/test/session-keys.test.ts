import { randomBytes, randomUUID } from 'node:crypto'
import { parseConfig } from '@parley/service-kit/core/config'
import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { configSchema } from '../config.ts'
import { createRateLimits } from '../rate-limits.ts'
import { createSessionCipher } from '../session/session-cipher.ts'
import { createSessionIndex } from '../session/session-index.ts'
import type { HotRecord } from '../session/session-record.ts'
import { createSessionStore } from '../session/session-store.ts'

/** A database of its own: what is left is counted. */
const url = new URL(inject('stack').env.bff['REDIS_URL'] ?? '')
url.pathname = '/3'
const redis = createRedis(url.href, { name: 'keys', logger: createLogger({ name: 'keys', level: 'silent' }) })
const store = createSessionStore({
  redis,
  reads: undefined,
  cipher: createSessionCipher([{ id: 'k1', key: randomBytes(32) }]),
  index: createSessionIndex(redis),
  limits: { idleMs: 12 * 3600_000, perUser: 20 },
})
const settings = { ...inject('stack').env.bff, STATIC_DIR: 'none', MANAGEMENT_PORT: '0' }
const limits = createRateLimits(redis, parseConfig(configSchema, settings))
beforeAll(async () => {
  await vi.waitFor(() => expect(redis.status).toBe('ready'))
  await redis.flushdb()
})
afterAll(async () => {
  await redis.flushdb()
  redis.disconnect()
})

const iss = 'https://id.example'
function hotRecord(): HotRecord {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss, sub: randomUUID(), sid: randomUUID(), aud: 'bff-web', iat, exp: iat + 300 }
  return {
    client: 'password',
    claims: { ...claims, email: '', email_verified: true },
    idTokenHash: 'hash',
    tokenExpiresAt: iat + 300,
    createdAt: Date.now(),
    endsAt: Date.now() + 7 * 24 * 3600_000,
  }
}
const cold = { idToken: 'id', accessToken: 'access', refreshToken: 'refresh' }
const visitor = { ip: '203.0.113.9', device: 'Test' }

async function signIn(number: number) {
  const ip = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  await (await limits.signIn(ip, `person-${number}@example.com`)).succeeded()
  return store.create(hotRecord(), cold, visitor)
}

/** Ways in which a session ends, in turn. */
const ends: ((session: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>)[] = [
  (session) => store.destroy(session),
  (session) => store.destroyBy({ iss, sid: session.hot.claims.sid }),
  (session) => store.destroyBy({ iss, sub: session.hot.claims.sub }),
  (session) => store.destroyListed(session.hot.claims, session.key),
]

/** Returns the number of keys in Redis by the first part of their names, and the longest life in seconds; -1 is for ever. */
async function keysLeft(): Promise<Record<string, { count: number; longest: number }>> {
  const left: Record<string, { count: number; longest: number }> = {}
  for await (const names of redis.scanStream({ count: 1000 })) {
    const lives = await Promise.all((names as string[]).map(async (name) => ({ name, life: await redis.ttl(name) })))
    for (const { name, life } of lives) {
      const [kind = ''] = /^rl:[^:]+|^[^:]+/.exec(name) ?? []
      const known = left[kind] ?? { count: 0, longest: 0 }
      const longest = life === -1 || known.longest === -1 ? -1 : Math.max(known.longest, life)
      left[kind] = { count: known.count + 1, longest }
    }
  }
  return left
}

/** Number of rounds: each leaves and takes the same, so it matters only for measurements. */
const rounds = Number(process.env['PARLEY_SESSION_ROUNDS'] ?? 500)

test('sign-ins and sign-outs leave nothing but short-lived limits and revocations', async () => {
  for (let batch = 0; batch < rounds; batch += 500) {
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const session = await signIn(batch + index)
        await ends[index % ends.length]?.(session)
      }),
    )
  }
  const left = await keysLeft()
  process.stdout.write(`keys left after ${rounds} sign-ins and sign-outs: ${JSON.stringify(left)}\n`)
  const { 'rl:in-ip': addresses, rv: revocations, ...others } = left
  expect(others).toEqual({})
  expect(addresses?.longest).toBeLessThanOrEqual(60)
  expect(revocations?.longest).toBeLessThanOrEqual(120)
})

test('the lists of a session that idles out live no longer than it', async () => {
  await redis.flushdb()
  const session = await store.create({ ...hotRecord(), endsAt: Date.now() + 60_000 }, cold, visitor)
  await store.touch(session)
  const left = await keysLeft()
  expect(Object.keys(left).sort()).toEqual(['s', 'sid', 'sub'])
  for (const { longest } of Object.values(left)) expect(longest).toBeLessThanOrEqual(60)
})
