import type { Clock } from '../clock.ts'

/** A token bucket per key. */
function createBuckets(clock: Clock, { depth, refillMs }: { depth: number; refillMs: number }) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    /** @returns 0 where a token was taken, else the milliseconds until there is one. */
    take(key: string, options: { depth: number; refillMs: number } = { depth, refillMs }): number {
      const now = clock.now()
      const known = buckets.get(key) ?? { tokens: options.depth, at: now }
      const tokens = Math.min(options.depth, known.tokens + (now - known.at) / options.refillMs)
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
      return tokens >= 1 ? 0 : (1 - tokens) * options.refillMs
    },
    reset: () => buckets.clear(),
  }
}

/** Limits of the platform, each of which can be set and reset. `null` switches one off. */
export interface Limits {
  /** Messages a second of a number with standard throughput; of one with high throughput. */
  standardPerSecond: number | null
  highPerSecond: number | null
  /** Messages to one customer: one in 6 s, this many at once. */
  pairDepth: number | null
  /** Customers a day that are written to outside their window; `null` follows the account's tier. */
  uniqueUsers: number | null
  managementPerHour: number | null
}

const tiers: Record<string, number> = { TIER_250: 250, TIER_2K: 2000, TIER_10K: 10_000, TIER_100K: 100_000 }
const pairRefillMs = 6000
const dayMs = 24 * 3600_000

export function createLimits(clock: Clock) {
  const limits: Limits = {
    standardPerSecond: 80,
    highPerSecond: 1000,
    pairDepth: 45,
    uniqueUsers: null,
    managementPerHour: 5000,
  }
  const throughput = createBuckets(clock, { depth: 80, refillMs: 1000 / 80 })
  const pairs = createBuckets(clock, { depth: 45, refillMs: pairRefillMs })
  const management = createBuckets(clock, { depth: 5000, refillMs: 3600_000 / 5000 })
  const initiated = new Map<string, Map<string, number>>()

  /** @returns milliseconds to wait; 0 where the message may go. */
  function takeThroughput(numberId: string, level: 'STANDARD' | 'HIGH'): number {
    const perSecond = level === 'HIGH' ? limits.highPerSecond : limits.standardPerSecond
    return perSecond === null ? 0 : throughput.take(numberId, { depth: perSecond, refillMs: 1000 / perSecond })
  }

  function takePair(numberId: string, customerId: string): number {
    const { pairDepth } = limits
    return pairDepth === null
      ? 0
      : pairs.take(`${numberId}/${customerId}`, { depth: pairDepth, refillMs: pairRefillMs })
  }

  function takeManagement(accountId: string): number {
    const { managementPerHour } = limits
    if (managementPerHour === null) return 0
    return management.take(accountId, { depth: managementPerHour, refillMs: 3600_000 / managementPerHour })
  }

  /** Counts a customer who is written to outside the window. @returns whether the limit of the last 24 hours allows it. */
  function takeUnique(accountId: string, tier: string, customerId: string): boolean {
    const allowed = limits.uniqueUsers ?? tiers[tier] ?? Number.POSITIVE_INFINITY
    const users = initiated.get(accountId) ?? new Map<string, number>()
    initiated.set(accountId, users)
    const since = clock.now() - dayMs
    for (const [id, at] of users) {
      if (at > since) break
      users.delete(id)
    }
    if (!users.has(customerId) && users.size >= allowed) return false
    users.delete(customerId)
    users.set(customerId, clock.now())
    return true
  }

  function change(changed: Partial<Limits>): Limits {
    Object.assign(limits, changed)
    return { ...limits }
  }

  function reset(): void {
    for (const buckets of [throughput, pairs, management]) buckets.reset()
    initiated.clear()
  }
  return { takeThroughput, takePair, takeManagement, takeUnique, change, reset, current: () => ({ ...limits }) }
}
export type PlatformLimits = ReturnType<typeof createLimits>
