import type { Logger } from '@parley/service-kit/core/logger'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { trackKeys } from './key-tracking.ts'

const keptReads = 5000

interface Read {
  readonly askedAt: number
  /** Text that was read, and the time until which it may be answered; absent after a first read, which is not tracked. */
  readonly kept?: { readonly text: string | null; readonly until: number }
}

interface Options {
  readonly redis: Redis
  /** Milliseconds for which a read may be answered from memory. */
  readonly lifeMs: number
  readonly logger: Logger
}

/**
 * Reads of Redis strings that are asked for many times a second. Redis reports the change that makes one of them stale;
 * while it cannot, every read goes to Redis. A report that gets lost is made up for after `lifeMs`.
 */
export function createTrackedReads({ redis, lifeMs, logger }: Options) {
  const reads = new LRUCache<string, Read>({ max: keptReads })
  const underWay = new Map<string, Promise<string | null>>()
  const tracking = trackKeys({
    redis,
    logger,
    onChange: (keys) => {
      if (keys) return keys.forEach(drop)
      reads.clear()
      underWay.clear()
    },
  })

  /** Drops a key, so that no earlier or pending read of it is used any more. */
  function drop(key: string): void {
    reads.delete(key)
    underWay.delete(key)
  }

  /**
   * A key that is asked for once in a while costs a plain read and no tracking.
   * @param onRead told whether the answer came from memory.
   * @throws what Redis fails with.
   */
  async function get(key: string, onRead?: (hit: boolean) => void): Promise<string | null> {
    const now = performance.now()
    const last = tracking.isActive() ? reads.get(key) : undefined
    const kept = last?.kept && last.kept.until > now ? last.kept : undefined
    onRead?.(kept !== undefined)
    if (kept) return kept.text
    if (!tracking.isActive()) return redis.get(key)
    if (last && now - last.askedAt < lifeMs) return underWay.get(key) ?? readAndKeep(key, now)
    reads.set(key, { askedAt: now })
    return redis.get(key)
  }

  function readAndKeep(key: string, askedAt: number): Promise<string | null> {
    const reading = readTracked(key)
      .then(({ text, lifeLeftMs }) => {
        // A change that was reported before this answer came may be newer than it.
        if (underWay.get(key) === reading)
          reads.set(key, { askedAt, kept: { text, until: askedAt + Math.min(lifeMs, lifeLeftMs) } })
        return text
      })
      .finally(() => {
        if (underWay.get(key) === reading) underWay.delete(key)
      })
    underWay.set(key, reading)
    return reading
  }

  async function readTracked(key: string): Promise<{ text: string | null; lifeLeftMs: number }> {
    const answers = await redis.pipeline().call('CLIENT', 'CACHING', 'YES').get(key).pttl(key).exec()
    const [[untracked] = [], [failure, text] = [], [, life] = []] = answers ?? []
    if (text !== null && typeof text !== 'string') throw failure ?? new Error('Redis gave no answer')
    if (untracked || typeof life !== 'number') return { text, lifeLeftMs: 0 }
    // Negative where the key has no expiry, or does not exist: its creation is reported like any other change.
    return { text, lifeLeftMs: life < 0 ? lifeMs : life }
  }

  return { get, drop, disconnect: tracking.disconnect }
}
export type TrackedReads = ReturnType<typeof createTrackedReads>
