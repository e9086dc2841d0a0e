import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from './config.ts'
import { addressGroup } from './http/address-group.ts'
import { hashToken } from './session/session-cipher.ts'
import { guard } from './session/session-store.ts'

type Limits = Pick<
  Config,
  | 'LIMIT_SIGN_IN_PER_MINUTE_PER_IP'
  | 'LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP'
  | 'LIMIT_SIGN_IN_FAILURES_PER_EMAIL'
  | 'LIMIT_SIGN_UP_PER_HOUR_PER_IP'
  | 'LIMIT_RESEND_INTERVAL_SECONDS'
  | 'LIMIT_RESET_PER_HOUR_PER_EMAIL'
>

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
  const reset = limiter('reset', limits.LIMIT_RESET_PER_HOUR_PER_EMAIL, 3600)

  /**
   * Counts a sign-in attempt as a failure before it is made, so that parallel guesses cannot slip through.
   * @returns what takes the failure back after a success; it throws `session_store_unavailable` where Redis has gone meanwhile.
   */
  async function signIn(ip: string, email: string): Promise<() => Promise<void>> {
    const visitor = addressGroup(ip)
    const pair = hashToken(`${email}|${visitor}`)
    const account = hashToken(email)
    await take(signInByIp, visitor)
    await take(failuresByPair, pair)
    await take(failuresByEmail, account)
    return async () => {
      await guard(() => Promise.all([failuresByPair.delete(pair), failuresByEmail.reward(account)]))
    }
  }

  return {
    signIn,
    signUp: (ip: string) => take(signUpByIp, addressGroup(ip)),
    resend: (sub: string) => take(resend, sub, 'The mail was just sent. Wait half a minute before sending it again.'),
    /** @returns false where this address had its share; the answer to the page is the same. */
    reset: (email: string) =>
      take(reset, hashToken(email)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'rate_limited') return false
          throw error
        },
      ),
  }
}
export type RateLimits = ReturnType<typeof createRateLimits>

async function take(limiter: RateLimiterRedis, key: string, message?: string): Promise<void> {
  await limiter.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) throw errors.rateLimited(Math.ceil(refusal.msBeforeNext / 1000), message)
    throw errors.sessionStoreUnavailable(refusal)
  })
}
