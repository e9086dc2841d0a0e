import type { createEventPublisher } from '@parley/service-kit/data/event-stream'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type JobQueue, type LaneQueue, loadJobs } from '@parley/service-kit/queue/load-jobs'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import type { workerConfigSchema } from './config.ts'
import type { EventConsumer } from './platform/work-events.ts'
import type { Services } from './services.ts'

/** Options of every `*.jobs.ts`. */
export interface JobOptions {
  readonly services: Services
  readonly config: z.infer<typeof workerConfigSchema>
  readonly connection: ServiceConnection
  /** Connection by which all workers see how fast each number may send. */
  readonly redis: Redis
  /** Tells a workspace's members something that may be lost. */
  readonly publishUnlogged: ReturnType<typeof createEventPublisher>['publishUnlogged']
}

/** Loads the work of every `*.jobs.ts`. */
export async function loadWork(options: JobOptions) {
  const work = await loadJobs<JobOptions, JobQueue | LaneQueue | EventConsumer>(import.meta.dirname, options)
  return {
    consumers: work.filter((entry) => 'consumer' in entry),
    queued: work.filter((entry): entry is JobQueue | LaneQueue => !('consumer' in entry)),
  }
}
