import { addressGroup } from '@parley/service-kit/core/address-group'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from './config.ts'
import { hashToken } from './session/session-cipher.ts'
import { guard } from './session/session-store.ts'

type Limits = Pick<Config, Extract<keyof Config, `LIMIT_${string}`>>

/**
 * Limits of the sign-in path. Failures count for the pair of e-mail and IP first, so that an attacker elsewhere does not
 * lock the owner out. Keys hold hashes, never e-mail addresses; an IPv6 address counts with its /64.
 */
export function createRateLimits(redis: Redis, limits: Limits) {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `rl:${keyPrefix}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
    })
  const signInByIp = limiter('in-ip', limits.LIMIT_SIGN_IN_PER_MINUTE_PER_IP, 60)
  const failuresByPair = limiter('fail-pair', limits.LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP, 15 * 60)
  const failuresByEmail = limiter('fail-mail', limits.LIMIT_SIGN_IN_FAILURES_PER_EMAIL, 3600)
  const signUpByIp = limiter('up-ip', limits.LIMIT_SIGN_UP_PER_HOUR_PER_IP, 3600)
  const resend = limiter('resend', 1, limits.LIMIT_RESEND_INTERVAL_SECONDS)
  const resetByIp = limiter('reset-ip', limits.LIMIT_RESET_PER_HOUR_PER_IP, 3600)
  const resetByEmail = limiter('reset', limits.LIMIT_RESET_PER_HOUR_PER_EMAIL, 3600)
  const resetInTotal = limiter('reset-all', limits.LIMIT_RESET_PER_HOUR, 3600)
  const authorizeByIp = limiter('authorize-ip', limits.LIMIT_AUTHORIZE_PER_MINUTE_PER_IP, 60)
  const invitationByIp = limiter('invitation-ip', limits.LIMIT_AUTHORIZE_PER_MINUTE_PER_IP, 60)
  const authorizeInTotal = limiter('authorize-all', limits.LIMIT_AUTHORIZE_PER_MINUTE, 60)

  /**
   * Counts a sign-in attempt as a failure before it is made, so that parallel guesses cannot slip through.
   * @returns what is called once its outcome is known, where that is no failure; both throw `session_store_unavailable` where
   * Redis has gone meanwhile.
   */
  async function signIn(ip: string, email: string) {
    const visitor = addressGroup(ip)
    const pair = hashToken(`${email}|${visitor}`)
    const account = hashToken(email)
    await consume(signInByIp, visitor)
    await consume(failuresByPair, pair)
    await consume(failuresByEmail, account)
    return {
      /** The password was right: this visitor's earlier failures count no more. */
      succeeded: () => guard(() => Promise.all([failuresByPair.delete(pair), takeBack(failuresByEmail, account)])),
      /** The provider could not tell: this attempt does not count, earlier failures do. */
      undecided: () => guard(() => Promise.all([takeBack(failuresByPair, pair), takeBack(failuresByEmail, account)])),
    }
  }

  return {
    signIn,
    signUp: (ip: string) => consume(signUpByIp, addressGroup(ip)),
    /** Opening links of invitations: nobody guesses one, but each is a look into the database. */
    invitation: (ip: string) => consume(invitationByIp, addressGroup(ip)),
    resend: (sub: string) =>
      consume(resend, sub, 'The mail was just sent. Wait half a minute before sending it again.'),
    /**
     * @returns false where this network, this address or all callers together have used up their share; the page gets the same
     * answer.
     */
    reset: async (ip: string, email: string) =>
      (await isWithin(resetByIp, addressGroup(ip))) &&
      (await isWithin(resetByEmail, hashToken(email))) &&
      isWithin(resetInTotal, everybody),
    /** @returns false where this network, or everybody together, has begun too many sign-ins. */
    authorize: async (ip: string) =>
      (await isWithin(authorizeByIp, addressGroup(ip))) && isWithin(authorizeInTotal, everybody),
  }
}
export type RateLimits = ReturnType<typeof createRateLimits>

const everybody = 'all'

/** @throws `rate_limited`, or `session_store_unavailable` while Redis is away. */
async function consume(limiter: RateLimiterRedis, key: string, message?: string): Promise<void> {
  await limiter.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) throw errors.rateLimited(Math.ceil(refusal.msBeforeNext / 1000), message)
    throw errors.sessionStoreUnavailable(refusal)
  })
}

const isWithin = (limiter: RateLimiterRedis, key: string): Promise<boolean> =>
  consume(limiter, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'rate_limited') return false
      throw error
    },
  )

/** A counter that is back at nothing is not kept. */
async function takeBack(limiter: RateLimiterRedis, key: string): Promise<void> {
  const { consumedPoints } = await limiter.reward(key)
  if (consumedPoints <= 0) await limiter.delete(key)
}
