import { createHash, randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Milliseconds for which the lease of a process that was killed still holds. */
const leaseMs = 6000
/** Milliseconds for which an answer about the lease holds. */
const heldForMs = 1000

const takeScript = `local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`

/**
 * Chooses one of the replicas of a worker to sweep: what it finds, all of them work on. Two that sweep at once, for a moment,
 * find the same work, which is queued once. While Redis cannot tell, every process sweeps.
 * @param options.service beginning of the names of its queues.
 */
export function createSweepLease(redis: Redis, { service }: { service: string }) {
  const owner = randomUUID()
  const queues = new Set<string>()
  let isReady = () => true
  let asked: { readonly at: number; readonly isHeld: Promise<boolean> } | undefined

  /** Replicas of another version, which have other queues, have a lease of their own. */
  const key = () => {
    const names = createHash('sha256')
      .update([...queues].sort().join(' '))
      .digest('hex')
      .slice(0, 16)
    return `queue:${service}-sweeps-${names}`
  }

  function isHeld(): Promise<boolean> {
    const now = Date.now()
    if (!isReady()) return Promise.resolve(false)
    if (asked && now - asked.at < heldForMs) return asked.isHeld
    const taken = redis.eval(takeScript, 1, key(), owner, leaseMs)
    asked = { at: now, isHeld: taken.then((answer) => answer === 1).catch(() => true) }
    return asked.isHeld
  }

  /**
   * Gives up the lease: another replica that asks may have more luck than one whose sweep has failed. Where there is none, this one has
   * it again at once, so that one sweep that fails keeps no other from running.
   */
  async function release(): Promise<void> {
    asked = undefined
    await redis.eval(releaseScript, 1, key(), owner).catch(() => undefined)
  }

  return {
    isHeld,
    release,
    /** Adds a queue of this process. */
    add: (queue: string): void => void queues.add(queue),
    /** Sets what this process needs to sweep; without it another replica does. */
    needs: (ready: () => boolean): void => {
      isReady = ready
    },
  }
}
