import { Gauge } from 'prom-client'
import { z } from 'zod'
import { baseConfigShape } from '../core/config.ts'
import { errors } from '../core/errors.ts'
import type { InternalTokenSigner } from '../core/internal-token.ts'
import type { Logger } from '../core/logger.ts'
import { createMetrics, type Metrics } from '../core/metrics.ts'
import { redisUrlSchema } from '../core/redis-address.ts'
import { runProcess } from '../core/run-process.ts'
import { shareAnswer } from '../core/share-answer.ts'
import { stopServiceApp } from '../http/base-app.ts'
import type { Probe } from '../http/operations.ts'
import { createServiceApp } from '../http/service-app.ts'
import { createQueues, type Queues } from './queues.ts'

/** Part of the stop limit in which workers finish the work in hand. */
const finishWithinMs = 12_000
/** Milliseconds after which `/readyz` reports work that waits. */
const backlogMs = 60_000

/** Settings of every worker process; HOST and PORT are those of its health, readiness and metrics. */
export const workerConfigShape = {
  ...baseConfigShape,
  REDIS_URL: redisUrlSchema.describe('Redis, for the queues.'),
}
const workerConfigSchema = z.object(workerConfigShape)

interface WorkerTools {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly queues: Queues
  /** Ends the process as a failed start does. */
  readonly giveUp: (error: unknown) => void
}

/** Times at which the oldest waiting work of each kind became due; `undefined` while none waits. */
export type PendingSince = Readonly<Record<string, Date | undefined>>

interface StartedWorker {
  readonly probes: readonly Probe[]
  /** Keys of the signer, where the worker calls services. */
  readonly publicKeys?: InternalTokenSigner['publicKeys']
  readonly pendingSince: () => Promise<PendingSince>
  /** Kinds whose pace others set, as a number's limit does: measured, and never a reason for more workers. */
  readonly paced?: readonly string[]
  /** Work that waits for people, by what has stopped it. */
  readonly stoppedSince?: () => Promise<PendingSince>
  /** Closes what `start` has opened. */
  readonly close: () => Promise<void>
}

/**
 * The life of a worker process: settings → start → signal → stop. It answers `/healthz`, `/readyz`, `/metrics` and its public keys only. At its
 * stop nothing new is taken and the work in hand is finished; what takes longer than 12 s is left to another worker.
 * @param options.start opens what the work needs and hands it to `queues.workJobs` and `queues.workLanes`.
 */
export function runWorker<T extends z.ZodObject<typeof workerConfigShape>>(options: {
  name: string
  /** Part of the queues' names, which server and worker share. */
  service: string
  schema: T
  start: (config: z.infer<T>, tools: WorkerTools) => Promise<StartedWorker>
}): Promise<void> {
  const { name, service, schema } = options
  return runProcess({
    name,
    schema,
    start: async (config, logger, giveUp) => {
      const { REDIS_URL: url, HOST: host, PORT: port } = workerConfigSchema.parse(config)
      const metrics = createMetrics(name)
      const queues = createQueues({ url, service, logger, metrics, worker: name })
      const worker = await options.start(config, { logger, metrics, queues, giveUp })
      const oldestMs = measurePending(metrics, worker)
      metrics.gauge({
        name: 'queue_dead_jobs',
        help: 'Jobs that failed at every attempt and wait for their next chance, or for an operator',
        label: 'queue',
        read: queues.countDead,
      })
      const app = await createServiceApp({
        name,
        logger,
        metrics,
        verifyToken: () => Promise.reject(errors.unauthenticated()),
        probes: [
          ...worker.probes,
          { name: 'queue', required: true, check: queues.isReachable },
          { name: 'backlog', required: false, check: async () => (await oldestMs()) < backlogMs },
        ],
        ...(worker.publicKeys && { publicKeys: worker.publicKeys }),
        modules: () => undefined,
      })
      await app.listen({ host, port })
      return async () => {
        await queues.close(finishWithinMs)
        await stopServiceApp(app)
        await worker.close()
      }
    },
  })
}

/** Milliseconds for which readiness and gauges share what the database has told: what takes long is asked more seldom, up to 15 s. */
const keptMs = (_: PendingSince, tookMs: number): number => Math.min(15_000, Math.max(1000, 20 * tookMs))

/** Measures the values that autoscaling and alarms use. @returns what gives the age of the oldest work in milliseconds. */
function measurePending(metrics: Metrics, worker: StartedWorker): () => Promise<number> {
  const { paced = [] } = worker
  const pendingSince = shareAnswer(worker.pendingSince, keptMs)
  const stoppedSince = worker.stoppedSince && shareAnswer(worker.stoppedSince, keptMs)
  const oldestMs = async () => {
    const ages = Object.entries(agesOf(await pendingSince()))
    return Math.max(0, ...ages.filter(([kind]) => !paced.includes(kind)).map(([, seconds]) => seconds * 1000))
  }
  new Gauge({
    name: 'oldest_pending_work_seconds',
    help: 'Age of the oldest work that waits for a worker, of whatever kind; absent while it cannot be told',
    registers: [metrics.registry],
    async collect() {
      // An autoscaler leaves the number of workers as it is then. A number would be a reason to change it.
      await oldestMs().then(
        (ms) => this.set(ms / 1000),
        () => this.remove(),
      )
    },
  })
  metrics.gauge({
    name: 'pending_work_seconds',
    help: 'Age of the oldest work of each kind that waits for a worker, 0 where none does',
    label: 'kind',
    read: async () => agesOf(await pendingSince()),
  })
  if (stoppedSince)
    metrics.gauge({
      name: 'stopped_work_seconds',
      help: 'Age of the oldest work that waits for people, by what has stopped it, 0 where none does',
      label: 'reason',
      read: async () => agesOf(await stoppedSince()),
    })
  return oldestMs
}

function agesOf(since: PendingSince): Record<string, number> {
  const now = Date.now()
  return Object.fromEntries(
    Object.entries(since).map(([kind, time]) => [kind, time ? Math.max(0, now - time.getTime()) / 1000 : 0]),
  )
}
