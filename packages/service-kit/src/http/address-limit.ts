import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressGroup } from '../core/address-group.ts'

/**
 * Checks whether a visitor may make one more request.
 * @returns seconds until then where not.
 */
export type LimitAddress = (ip: string) => Promise<number | undefined>

/** Limits the requests of one visitor in a number of seconds, counted by this process alone: nothing outside is asked. */
export function createAddressLimit({ requests, seconds }: { requests: number; seconds: number }): LimitAddress {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds })
  return async (ip) => {
    try {
      await limiter.consume(addressGroup(ip))
      return undefined
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    }
  }
}
