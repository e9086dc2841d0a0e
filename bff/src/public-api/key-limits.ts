import type { KeyContext } from '@parley/contracts/account/api-keys'
import { addressGroup } from '@parley/service-kit/core/address-group'
import { errors } from '@parley/service-kit/core/errors'
import type { Response } from 'express'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'

type Limits = Pick<
  Config,
  | 'LIMIT_CALLS_PER_MINUTE_PER_KEY'
  | 'LIMIT_CALLS_PER_SECOND_PER_KEY'
  | 'LIMIT_CALLS_PER_MINUTE_PER_WORKSPACE'
  | 'LIMIT_FAILED_KEYS_PER_MINUTE_PER_IP'
>

const minute = 60
/** Calls without a key from one address: a sender of many events for many workflows stays below it. */
const openCallsPerMinute = 1200

/** Limits of the public API, over all processes but for those of a second; every answer says how much is left. */
export function createKeyLimits(redis: Redis, limits: Limits) {
  const ofKey = createLeasedLimit(redis, 'key', limits.LIMIT_CALLS_PER_MINUTE_PER_KEY)
  const ofWorkspace = createLeasedLimit(redis, 'key-ws', limits.LIMIT_CALLS_PER_MINUTE_PER_WORKSPACE)
  const burst = new RateLimiterMemory({ points: limits.LIMIT_CALLS_PER_SECOND_PER_KEY, duration: 1 })
  const ofAddress = (keyPrefix: string, points: number) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration: minute, rejectIfRedisNotReady: true })
  const failed = ofAddress('rl:key-fail', limits.LIMIT_FAILED_KEYS_PER_MINUTE_PER_IP)
  const openCalls = ofAddress('rl:open', openCallsPerMinute)
  const policy = [
    `"second";q=${limits.LIMIT_CALLS_PER_SECOND_PER_KEY};w=1`,
    `"minute";q=${limits.LIMIT_CALLS_PER_MINUTE_PER_KEY};w=${minute}`,
    `"workspace";q=${limits.LIMIT_CALLS_PER_MINUTE_PER_WORKSPACE};w=${minute}`,
  ].join(', ')

  /**
   * Counts a call, and says in the headers of its answer what is left (RateLimit header fields for HTTP, draft 11).
   * @throws `rate_limited`, `session_store_unavailable`.
   */
  async function count({ id, workspaceId }: KeyContext, res: Response): Promise<void> {
    res.setHeader('RateLimit-Policy', policy)
    const tell = (name: string, { left, resetMs }: Left) =>
      res.setHeader('RateLimit', `"${name}";r=${Math.max(0, left)};t=${Math.ceil(resetMs / 1000)}`)
    const second = await burst.consume(id).catch(refusalOf)
    if (second.msBeforeNext > 0 && second.consumedPoints > limits.LIMIT_CALLS_PER_SECOND_PER_KEY) {
      tell('second', { left: 0, resetMs: second.msBeforeNext })
      throw tooMany(second.msBeforeNext, 'This API key makes too many calls in a second.')
    }
    const minuteOfKey = await ofKey(id)
    tell('minute', minuteOfKey)
    if (minuteOfKey.left < 0) throw tooMany(minuteOfKey.resetMs, 'This API key makes too many calls in a minute.')
    const together = await ofWorkspace(workspaceId)
    if (together.left < minuteOfKey.left) tell('workspace', together)
    if (together.left < 0)
      throw tooMany(together.resetMs, 'The API keys of your workspace make too many calls in a minute.')
  }

  const failedKeys: FailedKeys = {
    check: async (ip) => {
      const known = await failed.get(addressGroup(ip)).catch((cause: unknown) => {
        throw errors.sessionStoreUnavailable(cause)
      })
      if (known && known.remainingPoints <= 0)
        throw tooMany(known.msBeforeNext, 'Too many calls with keys that are not valid.')
    },
    count: async (ip) => {
      const { consumedPoints, msBeforeNext } = await failed.consume(addressGroup(ip)).catch(refusalOf)
      if (consumedPoints > limits.LIMIT_FAILED_KEYS_PER_MINUTE_PER_IP)
        throw tooMany(msBeforeNext, 'Too many calls with keys that are not valid.')
    },
  }

  /** Counts a call that carries no key. @throws `rate_limited` for an address with too many, `session_store_unavailable`. */
  async function countOpenCall(ip: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await openCalls.consume(addressGroup(ip)).catch(refusalOf)
    if (consumedPoints > openCallsPerMinute)
      throw tooMany(msBeforeNext, 'Too many calls from your network in a minute.')
  }

  return { count, failedKeys, countOpenCall }
}
export type KeyLimits = ReturnType<typeof createKeyLimits>

export interface FailedKeys {
  /** @throws `rate_limited` for an address with too many failures. */
  readonly check: (ip: string) => Promise<void>
  /** Counts a failure. @throws `rate_limited` where it is one too many. */
  readonly count: (ip: string) => Promise<void>
}

interface Left {
  /** Calls that are left; negative where this one was too many. */
  readonly left: number
  readonly resetMs: number
}

const keptLeases = 20_000

/**
 * Counts a minute's calls over all processes: each takes a few at once from Redis, so that most calls ask nobody.
 * @returns a function that counts a call and says what is left.
 */
function createLeasedLimit(redis: Redis, name: string, points: number): (key: string) => Promise<Left> {
  // Whole leases fit into the limit, so that none of it is lost.
  const lease = [10, 5, 2].find((size) => points % size === 0 && points / size >= 10) ?? 1
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `rl:${name}`,
    points,
    duration: minute,
    rejectIfRedisNotReady: true,
    inMemoryBlockOnConsumed: points + 1,
  })
  const leases = new LRUCache<string, { own: number; others: number; until: number }>({ max: keptLeases })

  return async (key) => {
    const now = Date.now()
    const held = leases.get(key)
    if (held && held.own > 0 && held.until > now) {
      held.own -= 1
      return { left: held.own + held.others, resetMs: held.until - now }
    }
    const { consumedPoints, remainingPoints, msBeforeNext } = await limiter.consume(key, lease).catch(refusalOf)
    if (consumedPoints > points) return { left: -1, resetMs: msBeforeNext }
    // Calls that came at the same time have taken leases too.
    const same = leases.get(key)
    const own = lease - 1 + (same && same.until > now ? same.own : 0)
    leases.set(key, { own, others: remainingPoints, until: now + msBeforeNext })
    return { left: own + remainingPoints, resetMs: msBeforeNext }
  }
}

/** @throws `session_store_unavailable` for what is no refusal. */
function refusalOf(refusal: unknown): RateLimiterRes {
  if (refusal instanceof RateLimiterRes) return refusal
  throw errors.sessionStoreUnavailable(refusal)
}

const tooMany = (waitMs: number, message: string) => errors.rateLimited(Math.max(1, Math.ceil(waitMs / 1000)), message)
