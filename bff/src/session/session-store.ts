import { errors } from '@parley/service-kit/core/errors'
import type { Redis, Result } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { newSessionSecret, type SessionCipher, sessionKey } from './session-cipher.ts'
import type { SessionIndex, SignInTarget, Visitor } from './session-index.ts'
import { type ColdRecord, coldRecordSchema, type HotRecord, hotRecordSchema, type Session } from './session-record.ts'
import type { TrackedReads } from './tracked-reads.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Writes both records if the hot one still has the expected version; answers 1, or 0 where it has not. */
    replaceSession(hot: string, cold: string, version: string, newHot: string, newCold: string): Result<number, Context>
  }
}

/** Replaces a session that exists. Both keys share a hash tag, so that the script runs on one node of a cluster. */
const replaceSession = `
local current = redis.call('GET', KEYS[1])
if not current or string.match(current, '^(%d+)%.') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3], 'KEEPTTL') end
return 1`

/** Maximum sessions in memory, of about 4 KB each. */
const openedRecords = 5000

interface Dependencies {
  redis: Redis
  /** Hot records of sessions in use; none where each request is to ask Redis. */
  reads: TrackedReads | undefined
  /** Called for each read of a session in use, with whether it was answered from memory. */
  onRead?: (hit: boolean) => void
  cipher: SessionCipher
  index: SessionIndex
  limits: { readonly idleMs: number; readonly perUser: number }
}

/**
 * Sessions in Redis: a small hot record that each request reads and a cold one with the tokens, both sealed. Every method
 * throws `session_store_unavailable` while Redis is away.
 */
export function createSessionStore({ redis, reads, onRead, cipher, index, limits }: Dependencies) {
  redis.defineCommand('replaceSession', { numberOfKeys: 2, lua: replaceSession })
  const hotKey = (key: string) => `s:{${key}}:hot`
  const coldKey = (key: string) => `s:{${key}}:cold`
  const sealHot = (secret: string, version: number, hot: HotRecord) => `${version}.${cipher.seal(secret, 'hot', hot)}`
  /** Opening a record costs more than the rest of a small request: what was opened is good for as long as the text is the same. */
  const opened = new LRUCache<string, { readonly text: string; readonly session: Session }>({ max: openedRecords })
  const idleTtl = (hot: HotRecord) => Math.max(1, Math.min(limits.idleMs, hot.endsAt - Date.now()))

  /**
   * Stores a new session under a new secret; the account's oldest ones end where it has too many.
   * @throws `session_expired` for a sign-in that was revoked while it was under way.
   */
  async function create(hot: HotRecord, cold: ColdRecord, visitor: Visitor): Promise<Session> {
    const secret = newSessionSecret()
    const key = sessionKey(secret)
    const ttl = idleTtl(hot)
    const session: Session = { secret, key, version: 1, hot }
    const revoked = await guard(async () => {
      await redis.set(coldKey(key), cipher.seal(secret, 'cold', cold), 'PX', ttl)
      await redis.set(hotKey(key), sealHot(secret, 1, hot), 'PX', ttl)
      await index.add(key, hot, visitor, ttl)
      const surplus = (await index.list(hot.claims)).slice(0, -limits.perUser)
      await removeAll(
        hot.claims,
        surplus.map((listing) => listing.key),
      )
      return index.isRevoked(hot.claims)
    })
    if (!revoked) return session
    await destroy(session)
    throw errors.sessionExpired()
  }

  /** @returns the live session of this cookie value, or `undefined`. One Redis read. */
  const load = (secret: string) => loadWith((key) => redis.get(key), secret)

  /**
   * Like `load`, for frequent calls: skips the read where this process has read the session a moment ago and has received no
   * change since. An end elsewhere counts as soon as Redis has reported it, one in this process at once.
   */
  const loadInUse = (secret: string) => loadWith((key) => reads?.get(key, onRead) ?? redis.get(key), secret)

  async function loadWith(read: (key: string) => Promise<string | null>, secret: string): Promise<Session | undefined> {
    const key = sessionKey(secret)
    const text = await guard(() => read(hotKey(key)))
    const session = text === null ? undefined : openHot(secret, key, text)
    return session && session.hot.endsAt > Date.now() ? session : undefined
  }

  function openHot(secret: string, key: string, text: string): Session | undefined {
    const known = opened.get(key)
    if (known?.text === text) return known.session
    const dot = text.indexOf('.')
    const hot = hotRecordSchema.safeParse(cipher.open(secret, 'hot', text.slice(dot + 1)))
    if (!hot.success) return undefined
    const session = { secret, key, version: Number(text.slice(0, dot)), hot: hot.data }
    opened.set(key, { text, session })
    return session
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
    ).finally(() => reads?.drop(hotKey(session.key)))
    return written === 1 ? { ...session, version, hot } : undefined
  }

  /** Restarts the idle time. */
  async function touch({ key, hot }: Session): Promise<void> {
    const ttl = idleTtl(hot)
    await guard(() =>
      Promise.all([
        redis.pexpire(hotKey(key), ttl),
        redis.pexpire(coldKey(key), ttl),
        index.touch(key, hot.claims, ttl),
      ]),
    )
  }

  async function destroy({ key, hot }: Session): Promise<void> {
    await guard(() => removeAll(hot.claims, [key]))
  }

  /**
   * Ends every session of an account or of one session at the provider, and any that is being signed in right now.
   * @param options.at when the provider ended them, in milliseconds of its clock: who has signed in since stays. Keycloak gives
   * the next sign-in of a browser the same `sid`, and its word may come late.
   */
  async function destroyBy(
    target: SignInTarget,
    { except, at }: { except?: string; at?: number } = {},
  ): Promise<number> {
    return guard(async () => {
      if (except === undefined) await index.revoke(target, at)
      const keys = (await index.keysOf(target, at)).filter((key) => key !== except)
      await removeAll(target, keys)
      return keys.length
    })
  }

  /** Lists where an account is signed in, latest use first. */
  async function list(account: SignInTarget) {
    const listings = await guard(() => index.list(account))
    return listings.sort((a, b) => b.lastSeenAt - a.lastSeenAt)
  }

  /** Ends one listed session of an account. */
  const destroyListed = (account: SignInTarget, key: string) => guard(() => removeAll(account, [key]))

  async function removeAll(account: SignInTarget, keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => redis.del(hotKey(key), coldKey(key)).finally(() => reads?.drop(hotKey(key)))))
    await index.remove(account, keys)
  }

  return { create, load, loadInUse, loadTokens, replace, touch, destroy, destroyBy, destroyListed, list }
}
export type SessionStore = ReturnType<typeof createSessionStore>

/** Runs a Redis call; whatever it fails with, the caller learns that the store is away. */
export async function guard<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((cause: unknown) => {
    throw errors.sessionStoreUnavailable(cause)
  })
}
