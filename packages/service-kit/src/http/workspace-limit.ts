import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { errors } from '../core/errors.ts'

/** Lets a request of a workspace pass. @throws `rate_limited` */
export type LimitWorkspace = (workspaceId: string) => Promise<void>

/**
 * Limits the requests of one workspace in a number of seconds, over all replicas of a service: a busy workspace leaves room for
 * the others. While Redis is away each process counts by itself.
 */
export function createWorkspaceLimit(options: {
  redis: Redis
  service: string
  requests: number
  seconds: number
}): LimitWorkspace {
  const { redis, service, requests: points, seconds: duration } = options
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `workspace-limit:${service}`,
    points,
    duration,
    rejectIfRedisNotReady: true,
    // A workspace over the limit asks Redis no more until its time is up.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory({ points, duration }),
  })
  return async (workspaceId) => {
    try {
      await limiter.consume(workspaceId)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw errors.rateLimited(
        Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        'Your workspace sends too many requests.',
      )
    }
  }
}
