import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { z } from 'zod'

/** Milliseconds; a process that was killed leaves the sweeps to another after the first at most. */
const leaseMs = 6000
const renewMs = 2000
/** Limit for a holder that may not reach what others can. */
const maxHeldMs = 60_000
/** Milliseconds without any work after which nothing is expected soon. */
const busyMs = 60_000

/** Takes the lease where it is free, and notes work. Keys: lease, mark of work. Arguments: owner, lease, mark, 1 for work, 1 to give it up. */
const turnScript = `
if ARGV[4] == '1' then redis.call('SET', KEYS[2], 1, 'PX', ARGV[3]) end
local owner = redis.call('GET', KEYS[1])
local free = not owner or owner == ARGV[1]
if free and ARGV[5] == '1' then redis.call('DEL', KEYS[1])
elseif free then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return { free and ARGV[5] ~= '1' and 1 or 0, redis.call('EXISTS', KEYS[2]) }`

/** Whether the lease is the caller's, and whether there is work: 1 or 0. */
const answerSchema = z.tuple([z.number(), z.number()])

export type SweepTurn = ReturnType<typeof createSweepTurn>

/**
 * Decides which one of the processes of a name sweeps, by a lease in Redis: what sweeps cost does not grow with the replicas. While Redis does
 * not answer, all of them do, which is safe.
 * @param redis a connection whose commands fail at once while the server is away.
 * @param name of the process; it begins with that of its service, whose keys the process may use.
 */
export function createSweepTurn(redis: Pick<Redis, 'eval'>, name: string) {
  const keys = [`queue:${name}:{sweeps}:lease`, `queue:${name}:{sweeps}:busy`] as const
  const owner = randomUUID()
  const stopping = new AbortController()
  const known = Promise.withResolvers<void>()
  let heldSince: number | undefined
  let validUntil = 0
  let isAlone = true
  let isBusy = true
  let hasWorked = true

  async function ask(givesUp: boolean): Promise<void> {
    const askedAt = performance.now()
    const worked = hasWorked
    hasWorked = false
    try {
      const asked = [owner, leaseMs, busyMs, Number(worked), Number(givesUp)]
      const [ours, busy] = answerSchema.parse(await redis.eval(turnScript, keys.length, ...keys, ...asked))
      isAlone = false
      isBusy = busy === 1
      validUntil = ours === 1 ? askedAt + leaseMs : 0
      heldSince = ours === 1 ? (heldSince ?? askedAt) : undefined
    } catch {
      hasWorked ||= worked
      isAlone = true
      heldSince = undefined
    }
    known.resolve()
  }
  const isOverdue = () => heldSince !== undefined && performance.now() - heldSince > maxHeldMs
  const renewals = (async () => {
    while (!stopping.signal.aborted) {
      await ask(isOverdue())
      await wait(renewMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()

  return {
    /** Settles once it is known whether this process sweeps. */
    isKnown: known.promise,
    isOurs: (): boolean => isAlone || performance.now() < validUntil,
    /** Returns whether any process of the name has had work in the last minute. */
    isBusy: (): boolean => isAlone || isBusy,
    noteWork: (): void => {
      hasWorked = true
      isBusy = true
    },
    close: async (): Promise<void> => {
      stopping.abort()
      await renewals
      if (heldSince !== undefined) await ask(true)
    },
  }
}
