import { createHash } from 'node:crypto'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { createProducer, type QueueTools, stopper, watchWorker, workerOptions } from './queue-tools.ts'
import { createRest } from './rest.ts'
import { defaultSweepMs, sweepEvery } from './sweep.ts'

/** Number of lanes; it may change at any time: two lanes that meet on one record conflict in the database and are repeated. */
export const laneCount = 64
/** Milliseconds after which a lane queues up again behind the others. */
const sliceMs = 1000

/** Returns the lane of a key whose work is done in order: a conversation, a contact. */
export const laneOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32BE(0) % laneCount

const laneJobSchema = z.object({ lane: z.number().int().min(0) })

/** Work that lies in the database, by lane. */
export interface Lanes {
  /**
   * Says that there is work in these lanes; call it after the commit. It never fails: a wake-up that is lost, with all of Redis
   * even, is made good by the sweep of the workers.
   */
  readonly wake: (lanes: Iterable<number>) => Promise<void>
  readonly close: () => Promise<void>
}

/** @param redis a connection of `createProducerConnection`. */
export function createLanes(name: string, redis: Redis, tools: QueueTools): Lanes {
  const producer = createProducer(name, redis, tools)

  async function wake(lanes: Iterable<number>): Promise<void> {
    const wakeUps = [...new Set(lanes)].map((lane) => ({
      name: 'drain',
      data: { lane },
      opts: {
        // While the lane is being drained one wake-up is kept for afterwards; while it waits, further ones are merged into one.
        deduplication: { id: String(lane), keepLastIfActive: true },
        removeOnComplete: true,
        removeOnFail: true,
        // Short and without growth: wake-ups are dropped while a failed one waits.
        attempts: 1000,
        backoff: { type: 'fixed', delay: 500, jitter: 0.5 },
      },
    }))
    await producer.addAll(wakeUps)
  }
  return { wake, close: producer.close }
}

export interface LaneWork {
  /**
   * Does one batch of a lane, in one transaction with its mark that it is done: two workers may have the same lane for a
   * moment. @returns whether there is more.
   */
  readonly drain: (lane: number) => Promise<boolean>
  /** Finds lanes with work that is older than a moment: all that the queue should know of. */
  readonly pendingLanes: () => Promise<readonly number[]>
  readonly concurrency?: number
  readonly sweepMs?: number
}

/** Drains lanes until it is stopped; the batch in hand is finished then. @param connection of `createWorkerConnection`. */
export function workLanes(name: string, connection: Redis, lanes: Lanes, work: LaneWork, tools: QueueTools) {
  const { rest = createRest() } = tools
  let stopping = false
  const worker = new Worker(
    name,
    async ({ data }) => {
      const { lane } = laneJobSchema.parse(data)
      const sliceEnds = performance.now() + sliceMs
      let hasMore = true
      while (hasMore && !stopping && performance.now() < sliceEnds) hasMore = await rest.run(() => work.drain(lane))
      if (hasMore) await lanes.wake([lane])
    },
    {
      connection,
      ...workerOptions,
      concurrency: work.concurrency ?? 4,
      // A worker that was killed is noticed after these two.
      lockDuration: 3000,
      stalledInterval: 2000,
      // The second kill would drop the lane's job by default.
      maxStalledCount: 1_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  )
  const endRest = watchWorker(name, worker, tools)
  const sweep = async () => lanes.wake((await rest.whenAwake(() => work.pendingLanes())) ?? [])
  const stopSweep = sweepEvery(work.sweepMs ?? defaultSweepMs, sweep, tools.logger, { turn: tools.turn })
  return stopper(worker, async () => {
    stopping = true
    await Promise.all([stopSweep(), endRest()])
  })
}
