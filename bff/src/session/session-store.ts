import { errors } from '@parley/service-kit/core/errors'
import type { Redis, Result } from 'ioredis'
import { hashToken, newSessionSecret, type SessionCipher, sessionKey } from './session-cipher.ts'
import { type ColdRecord, coldRecordSchema, type HotRecord, hotRecordSchema, type Session } from './session-record.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Writes both records if the hot one still has the expected version; answers 1, or 0 where it has not. */
    replaceSession(hot: string, cold: string, version: string, newHot: string, newCold: string): Result<number, Context>
  }
}

/** Both keys share a hash tag, so that the script runs on one node of a cluster. A deleted session is never re-made. */
const replaceSession = `
local current = redis.call('GET', KEYS[1])
if not current or string.match(current, '^(%d+)%.') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3], 'KEEPTTL') end
return 1`

export interface SessionLimits {
  readonly idleMs: number
  readonly perUser: number
}

/**
 * Sessions in Redis: a small hot record that each request reads, a cold one with the tokens, and plain indexes that end
 * sessions by account or by the provider's session. Every method throws `session_store_unavailable` while Redis is away.
 */
export function createSessionStore(redis: Redis, cipher: SessionCipher, limits: SessionLimits) {
  redis.defineCommand('replaceSession', { numberOfKeys: 2, lua: replaceSession })
  const hotKey = (key: string) => `s:{${key}}:hot`
  const coldKey = (key: string) => `s:{${key}}:cold`
  const accountIndex = (hot: HotRecord) => `sub:${hashToken(`${hot.claims.iss}|${hot.claims.sub}`)}`
  const providerIndex = (iss: string, sid: string) => `sid:${hashToken(`${iss}|${sid}`)}`
  const sealHot = (secret: string, version: number, hot: HotRecord) => `${version}.${cipher.seal(secret, 'hot', hot)}`
  const idleTtl = (hot: HotRecord) => Math.max(1, Math.min(limits.idleMs, hot.endsAt - Date.now()))

  /** Stores a new session under a new secret; the account's oldest ones end where it has too many. */
  async function create(hot: HotRecord, cold: ColdRecord): Promise<Session> {
    const secret = newSessionSecret()
    const key = sessionKey(secret)
    const ttl = idleTtl(hot)
    const index = accountIndex(hot)
    await guard(async () => {
      const write = redis
        .multi()
        .set(hotKey(key), sealHot(secret, 1, hot), 'PX', ttl)
        .set(coldKey(key), cipher.seal(secret, 'cold', cold), 'PX', ttl)
      await write.exec()
      await redis.zadd(index, hot.createdAt, key)
      await redis.pexpire(index, hot.endsAt - hot.createdAt + 60_000)
      if (hot.claims.sid) {
        const bySid = providerIndex(hot.claims.iss, hot.claims.sid)
        await redis.sadd(bySid, key)
        await redis.pexpire(bySid, hot.endsAt - hot.createdAt + 60_000)
      }
      const surplus = await redis.zrange(index, 0, String(-(limits.perUser + 1)))
      if (surplus.length > 0) await removeAll(index, surplus)
    })
    return { secret, key, version: 1, hot }
  }

  /** @returns the live session of this cookie value, or `undefined`. One Redis read. */
  async function load(secret: string): Promise<Session | undefined> {
    const key = sessionKey(secret)
    const text = await guard(() => redis.get(hotKey(key)))
    const session = text === null ? undefined : openHot(secret, key, text)
    return session && session.hot.endsAt > Date.now() ? session : undefined
  }

  function openHot(secret: string, key: string, text: string): Session | undefined {
    const dot = text.indexOf('.')
    const hot = hotRecordSchema.safeParse(cipher.open(secret, 'hot', text.slice(dot + 1)))
    return hot.success ? { secret, key, version: Number(text.slice(0, dot)), hot: hot.data } : undefined
  }

  /** @returns the session's tokens, or `undefined` where it has ended meanwhile. */
  async function loadTokens(session: Session): Promise<ColdRecord | undefined> {
    const text = await guard(() => redis.get(coldKey(session.key)))
    const cold = coldRecordSchema.safeParse(text === null ? undefined : cipher.open(session.secret, 'cold', text))
    return cold.success ? cold.data : undefined
  }

  /** Writes a changed session. @returns it, or `undefined` where another write or an end came first. */
  async function replace(session: Session, hot: HotRecord, cold?: ColdRecord): Promise<Session | undefined> {
    const version = session.version + 1
    const written = await guard(() =>
      redis.replaceSession(
        hotKey(session.key),
        coldKey(session.key),
        String(session.version),
        sealHot(session.secret, version, hot),
        cold ? cipher.seal(session.secret, 'cold', cold) : '',
      ),
    )
    return written === 1 ? { ...session, version, hot } : undefined
  }

  /** Starts the idle time anew. */
  async function touch(session: Session): Promise<void> {
    const ttl = idleTtl(session.hot)
    await guard(() => Promise.all([redis.pexpire(hotKey(session.key), ttl), redis.pexpire(coldKey(session.key), ttl)]))
  }

  async function destroy(session: Session): Promise<void> {
    await guard(() => removeAll(accountIndex(session.hot), [session.key]))
  }

  /** Ends every session of an account or of one session at the provider, wherever it was signed in. */
  async function destroyBy(target: {
    iss: string
    sub?: string | undefined
    sid?: string | undefined
  }): Promise<number> {
    return guard(async () => {
      if (target.sid) {
        const index = providerIndex(target.iss, target.sid)
        const keys = await redis.smembers(index)
        await Promise.all(keys.flatMap((key) => [redis.del(hotKey(key), coldKey(key))]))
        await redis.del(index)
        return keys.length
      }
      const index = `sub:${hashToken(`${target.iss}|${target.sub}`)}`
      const keys = await redis.zrange(index, 0, '-1')
      await removeAll(index, keys)
      return keys.length
    })
  }

  async function removeAll(index: string, keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => redis.del(hotKey(key), coldKey(key))))
    if (keys.length > 0) await redis.zrem(index, ...keys)
  }

  return { create, load, loadTokens, replace, touch, destroy, destroyBy }
}
export type SessionStore = ReturnType<typeof createSessionStore>

/** Runs a Redis call; whatever it fails with, the caller learns that the store is away. */
export async function guard<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((cause: unknown) => {
    throw errors.sessionStoreUnavailable(cause)
  })
}
