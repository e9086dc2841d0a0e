import { Gauge } from 'prom-client'
import { z } from 'zod'
import { baseConfigShape } from '../core/config.ts'
import { errors } from '../core/errors.ts'
import type { InternalTokenSigner } from '../core/internal-token.ts'
import type { Logger } from '../core/logger.ts'
import { createMetrics, type Metrics } from '../core/metrics.ts'
import { runProcess } from '../core/run-process.ts'
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
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis URL' }).describe('Redis, for the queues.'),
}
const workerConfigSchema = z.object(workerConfigShape)

interface WorkerTools {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly queues: Queues
  /** Ends the process as a failed start does. */
  readonly giveUp: (error: unknown) => void
}

interface StartedWorker {
  readonly probes: readonly Probe[]
  /** Keys of the signer, where the worker calls services. */
  readonly publicKeys?: InternalTokenSigner['publicKeys']
  /** Returns the time at which the oldest waiting work became due; `undefined` while none waits. */
  readonly oldestPendingAt: () => Promise<Date | undefined>
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
      const queues = createQueues({ url, service, logger, metrics })
      const worker = await options.start(config, { logger, metrics, queues, giveUp })
      const pendingMs = async () => {
        const oldest = await worker.oldestPendingAt()
        return oldest ? Math.max(0, Date.now() - oldest.getTime()) : 0
      }
      measurePending(metrics, pendingMs)
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
          { name: 'backlog', required: false, check: async () => (await pendingMs()) < backlogMs },
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

/** Measures the values that autoscaling and alarms use. */
function measurePending({ registry }: Metrics, pendingMs: () => Promise<number>): void {
  new Gauge({
    name: 'oldest_pending_work_seconds',
    help: 'Age of the oldest work that waits for a worker; -1 while it cannot be told',
    registers: [registry],
    async collect() {
      this.set(
        await pendingMs().then(
          (ms) => ms / 1000,
          () => -1,
        ),
      )
    },
  })
}
