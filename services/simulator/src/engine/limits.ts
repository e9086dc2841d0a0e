import type { Clock } from '../clock.ts'
import type { BusinessNumber } from '../records.ts'

/** A token bucket per key. */
function createBuckets(clock: Clock, { depth, refillMs }: { depth: number; refillMs: number }) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    /** @returns 0 where a token was taken, else the milliseconds until there is one. */
    consume(key: string, options: { depth: number; refillMs: number } = { depth, refillMs }): number {
      const now = clock.now()
      const known = buckets.get(key) ?? { tokens: options.depth, at: now }
      const tokens = Math.min(options.depth, known.tokens + (now - known.at) / options.refillMs)
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
      return tokens >= 1 ? 0 : (1 - tokens) * options.refillMs
    },
    /** Share that is used, in percent. */
    used: (key: string, options: { depth: number; refillMs: number } = { depth, refillMs }): number => {
      const known = buckets.get(key)
      const tokens = known
        ? Math.min(options.depth, known.tokens + (clock.now() - known.at) / options.refillMs)
        : options.depth
      return Math.round(100 * (1 - tokens / options.depth))
    },
    reset: () => buckets.clear(),
  }
}

/** Limits of the platform, each of which can be set and reset. `null` switches one off. */
export interface Limits {
  /** Messages a second of a number with standard throughput; of one with high throughput. */
  standardPerSecond: number | null
  highPerSecond: number | null
  /** Messages a second of a number that is also in the WhatsApp Business app, whatever its throughput is. */
  onAppPerSecond: number | null
  /** Messages to one customer: one in 6 s, with a burst of this many. */
  pairDepth: number | null
  /** Customers that may be written to outside their window in a day; `null` follows the account's tier. */
  uniqueUsers: number | null
  /** Calls about accounts, numbers and templates; of an account without a registered number 200 at most. */
  managementPerHour: number | null
}

const usual: Limits = {
  standardPerSecond: 80,
  highPerSecond: 1000,
  onAppPerSecond: 20,
  pairDepth: 45,
  uniqueUsers: null,
  managementPerHour: 5000,
}
const unregisteredPerHour = 200
const hourMs = 3600_000

/** Customers that each tier allows to be written to outside their window in a day. */
export const tierUsers: Readonly<Record<string, number>> = {
  TIER_250: 250,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
}
const pairRefillMs = 6000
const dayMs = 24 * hourMs

export function createLimits(clock: Clock) {
  const limits: Limits = { ...usual }
  const throughput = createBuckets(clock, { depth: 80, refillMs: 1000 / 80 })
  const pairs = createBuckets(clock, { depth: 45, refillMs: pairRefillMs })
  const management = createBuckets(clock, { depth: 5000, refillMs: hourMs / 5000 })
  const initiated = new Map<string, Map<string, number>>()

  /** @returns milliseconds to wait; 0 where the message may go. */
  function takeThroughput({ id, throughput: level, onBusinessApp }: BusinessNumber): number {
    const byLevel = level === 'HIGH' ? limits.highPerSecond : limits.standardPerSecond
    const perSecond = onBusinessApp ? limits.onAppPerSecond : byLevel
    return perSecond === null ? 0 : throughput.consume(id, { depth: perSecond, refillMs: 1000 / perSecond })
  }

  function takePair(numberId: string, customerId: string): number {
    const { pairDepth } = limits
    return pairDepth === null
      ? 0
      : pairs.consume(`${numberId}/${customerId}`, { depth: pairDepth, refillMs: pairRefillMs })
  }

  function managementOf(isRegistered: boolean): { depth: number; refillMs: number } | undefined {
    const { managementPerHour } = limits
    if (managementPerHour === null) return undefined
    const depth = isRegistered ? managementPerHour : Math.min(unregisteredPerHour, managementPerHour)
    return { depth, refillMs: hourMs / depth }
  }

  /** @param isRegistered whether the account has a number that is registered. */
  function takeManagement(accountId: string, isRegistered: boolean): number {
    const options = managementOf(isRegistered)
    return options ? management.consume(accountId, options) : 0
  }

  /** Returns the `x-business-use-case-usage` of an account: percent used, minutes until calls are taken again. */
  function usageOf(accountId: string, isRegistered: boolean) {
    const options = managementOf(isRegistered)
    const percent = options ? management.used(accountId, options) : 0
    const waitMs = options && percent >= 100 ? options.refillMs : 0
    return {
      type: 'whatsapp',
      call_count: percent,
      total_cputime: 0,
      total_time: 0,
      estimated_time_to_regain_access: Math.ceil(waitMs / 60_000),
    }
  }

  /** Counts a customer who is written to outside the window. @returns whether the limit of the last 24 hours allows it. */
  function takeUnique(accountId: string, tier: string, customerId: string): boolean {
    const allowed = limits.uniqueUsers ?? tierUsers[tier] ?? Number.POSITIVE_INFINITY
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
    Object.assign(limits, usual)
  }
  const current = () => ({ ...limits })
  return { takeThroughput, takePair, takeManagement, usageOf, takeUnique, change, reset, current }
}
export type PlatformLimits = ReturnType<typeof createLimits>
