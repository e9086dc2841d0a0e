import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Keys of a queue of BullMQ, by which a wait for its next job is told. */
export interface QueueKeys {
  readonly marker: string
  readonly wait: string
  readonly delayed: string
  readonly active: string
}

/** Sign that a queue has a job (score 0), or will have one at a moment (its milliseconds). */
export interface Marker {
  readonly member: string
  readonly score: number
}

interface Wait {
  readonly keys: QueueKeys
  readonly endsAt: number
  readonly settle: (marker: Marker | null) => void
  readonly fail: (error: unknown) => void
}

/** Milliseconds between two looks for jobs whose sign was taken by a worker that died, and longest wait in one command. */
const checkMs = 5000
/** Milliseconds beyond the end of a command after which its connection is taken for dead. */
const lateMs = 3000
/** Milliseconds for which an answer about active jobs holds. */
const activeForMs = 1000
/** Seconds for which a wake-up outlives a process that has died. */
const wakeUpSeconds = 60

/**
 * Waits for the jobs of all queues of a process in one command, on one connection: BullMQ's own workers hold one each, and ask each
 * of their queues every five seconds. A wait that is added interrupts the command, so that it is asked for anew.
 * @param options.blocking connection that waits, and is used for nothing else.
 * @param options.redis connection for all other commands.
 * @param options.prefix beginning of a key that the process's user may write.
 */
export function createSharedWaits({ blocking, redis, prefix }: { blocking: Redis; redis: Redis; prefix: string }) {
  const wakeKey = `${prefix}wake-${randomUUID()}`
  const queues = new Map<string, QueueKeys>()
  const waits = new Map<string, Wait>()
  let command: { readonly markers: ReadonlySet<string>; readonly endsAt: number; isWoken: boolean } | undefined
  let isRunning = false
  let checkedAt = Date.now()
  let active: { readonly at: number; readonly isAny: Promise<boolean> } | undefined

  /**
   * Waits until a queue may have a job.
   * @param timeoutSeconds after which there is none.
   */
  function wait(keys: QueueKeys, timeoutSeconds: number): Promise<Marker | null> {
    cancel(keys.marker)
    const endsAt = Date.now() + timeoutSeconds * 1000
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Marker | null>()
    waits.set(keys.marker, { keys, endsAt, settle, fail })
    if (command && (!command.markers.has(keys.marker) || endsAt < command.endsAt)) wakeCommand()
    if (!isRunning) void run()
    return promise
  }

  function cancel(marker: string): void {
    waits.get(marker)?.settle(null)
    waits.delete(marker)
  }

  function wakeCommand(): void {
    if (!command || command.isWoken) return
    command.isWoken = true
    // Where it fails the command ends by itself.
    void redis.zadd(wakeKey, 0, '0').catch(() => undefined)
    void redis.expire(wakeKey, wakeUpSeconds).catch(() => undefined)
  }

  async function run(): Promise<void> {
    isRunning = true
    while (waits.size > 0) {
      try {
        const popped = await nextMarker()
        if (popped) await deliver(popped)
        endLateWaits()
        if (Date.now() - checkedAt >= checkMs) await findUnsigned()
      } catch (error) {
        for (const { fail } of waits.values()) fail(error)
        waits.clear()
      }
    }
    isRunning = false
  }

  async function nextMarker(): Promise<(Marker & { readonly key: string }) | undefined> {
    const now = Date.now()
    const endsAt = Math.min(now + checkMs, ...[...waits.values()].map((waiting) => waiting.endsAt))
    const markers = [...waits.keys()]
    command = { markers: new Set(markers), endsAt, isWoken: false }
    // Zero would be without end.
    const timeoutMs = Math.max(1, endsAt - now)
    // A connection repeats the command once it is made anew, and may be dead again.
    const watchdog = setInterval(() => blocking.disconnect(true), timeoutMs + lateMs)
    try {
      const popped = await blocking.bzpopmin(wakeKey, ...markers, timeoutMs / 1000)
      if (!popped) return undefined
      const [key, member, score] = popped
      return { key: String(key), member: String(member), score: Number(score) }
    } finally {
      clearInterval(watchdog)
      command = undefined
    }
  }

  async function deliver({ key, ...marker }: Marker & { readonly key: string }): Promise<void> {
    if (key === wakeKey) return
    const waiting = waits.get(key)
    // A queue that has stopped waiting meanwhile leaves its sign to other processes.
    if (!waiting) return void (await redis.zadd(key, marker.score, marker.member))
    waits.delete(key)
    waiting.settle(marker)
  }

  function endLateWaits(): void {
    const now = Date.now()
    for (const [marker, { endsAt }] of waits) if (endsAt <= now) cancel(marker)
  }

  /** Ends waits of queues that have jobs without a sign. */
  async function findUnsigned(): Promise<void> {
    checkedAt = Date.now()
    const keys = [...waits.values()].map((waiting) => waiting.keys)
    if (keys.length === 0 || (await redis.exists(...keys.flatMap((of) => [of.wait, of.delayed]))) === 0) return
    const counts = await Promise.all(keys.map((of) => redis.exists(of.wait, of.delayed)))
    for (const [index, { marker }] of keys.entries()) if (counts[index] !== 0) cancel(marker)
  }

  /** Returns whether any queue of the process has active jobs, which might be those of a process that was killed. */
  function isAnyActive(): Promise<boolean> {
    const now = Date.now()
    if (active && now - active.at < activeForMs) return active.isAny
    const isAny = redis.exists(...[...queues.values()].map((keys) => keys.active)).then((count) => count > 0)
    active = { at: now, isAny }
    isAny.catch(() => {
      active = undefined
    })
    return isAny
  }

  return {
    wait,
    cancel,
    isAnyActive,
    /** Adds a queue of this process. */
    add: (keys: QueueKeys): void => void queues.set(keys.marker, keys),
  }
}
export type SharedWaits = ReturnType<typeof createSharedWaits>
