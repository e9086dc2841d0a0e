import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressGroup } from '../core/address-group.ts'

/** Whether a visitor may come in once more. @returns seconds until then where not. */
export type LimitAddress = (ip: string) => Promise<number | undefined>

/** At most so many requests of one visitor in so many seconds, counted by this process alone: nothing outside is asked. */
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
