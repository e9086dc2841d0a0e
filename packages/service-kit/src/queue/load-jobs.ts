import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JobRecord, JobWork } from './jobs.ts'
import type { LaneWork } from './lanes.ts'
import type { Queues } from './queues.ts'
import type { PendingSince } from './run-worker.ts'
import { defaultSweepMs, upkeepIdleMs } from './sweep.ts'

/** Milliseconds for which new work is left to its wake-up. */
const overdueMs = 3000

/** Work on the records of one queue, as a `*.jobs.ts` exports it. */
export interface JobQueue extends Pick<JobWork, 'perform' | 'concurrency' | 'sweepMs' | 'idleMs' | 'keepsWakes'> {
  /** Name of the queue. */
  readonly name: string
  /** Finds records that should have a job, those that are older than `before`; absent where only wake-ups bring work. */
  readonly due?: (before: Date) => Promise<readonly JobRecord[]>
  /** Returns the times since which the oldest of its records waits, by its kind. */
  readonly pendingSince?: () => Promise<PendingSince>
  /** Tidies up what its work has left behind. */
  readonly upkeep?: () => Promise<unknown>
}

/** Work on the lanes of one queue. */
export interface LaneQueue extends Pick<LaneWork, 'drain'> {
  /** Name of the queue. */
  readonly lanes: string
  /** Finds lanes with work that is older than `before`. */
  readonly due: (before: Date) => Promise<readonly number[]>
  /** Returns the times since which the oldest work of these lanes waits, by its kind. */
  readonly pendingSince?: () => Promise<PendingSince>
  /** The same for work that waits for people, by what has stopped it. */
  readonly stoppedSince?: () => Promise<PendingSince>
  /** Returns how much of it goes on after its batch has ended. */
  readonly inHand?: () => number
  /** Releases the resources of the work, after it has been stopped. */
  readonly close?: () => Promise<void>
}

/**
 * Imports every `*.jobs.ts` below `modules/` of a service, in the order of their paths. Each default export is a function that receives
 * `options` and gives the work of its feature: queues of records, queues of lanes, and whatever else the service knows to start.
 */
export async function loadJobs<Options, Work>(directory: string, options: Options): Promise<Work[]> {
  const modules = join(directory, 'modules')
  const files = (await readdir(modules, { recursive: true })).filter((path) => path.endsWith('.jobs.ts')).sort()
  const loaded = await Promise.all(files.map((path) => import(pathToFileURL(join(modules, path)).href)))
  return loaded.flatMap(({ default: jobsOf }: { default: (options: Options) => Work[] }) => jobsOf(options))
}

/** Works on queues of a service. */
export function workQueues(
  queues: Pick<Queues, 'workLanes' | 'workJobs' | 'sweepEvery'>,
  work: readonly (JobQueue | LaneQueue)[],
) {
  const overdue = () => new Date(Date.now() - overdueMs)
  for (const queue of work) {
    if ('lanes' in queue) {
      const { lanes, due, drain } = queue
      queues.workLanes(lanes, { drain, pendingLanes: () => due(overdue()) })
    } else {
      const { name, due = async () => [], upkeep, ...job } = queue
      queues.workJobs(name, { ...job, pendingRecords: () => due(overdue()) })
      if (upkeep) queues.sweepEvery(defaultSweepMs, upkeep, { idleMs: upkeepIdleMs })
    }
  }
  const lanes = work.filter((queue) => 'lanes' in queue)
  return {
    pendingSince: () => joined(work.map(({ pendingSince }) => pendingSince)),
    stoppedSince: () => joined(lanes.map(({ stoppedSince }) => stoppedSince)),
    inHand: () => lanes.reduce((sum, { inHand }) => sum + (inHand?.() ?? 0), 0),
    close: async (): Promise<void> => {
      await Promise.all(lanes.map(({ close }) => close?.()))
    },
  }
}

async function joined(asked: readonly ((() => Promise<PendingSince>) | undefined)[]): Promise<PendingSince> {
  return Object.assign({}, ...(await Promise.all(asked.map((ask) => ask?.()))))
}
