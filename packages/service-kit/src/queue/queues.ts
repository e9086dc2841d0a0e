import { once as emitted } from 'node:events'
import type { Redis } from 'ioredis'
import { Counter } from 'prom-client'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { redisAnswers } from '../core/redis.ts'
import { createJobs, type JobOptions, type Jobs, type JobWork, workJobs } from './jobs.ts'
import { createLanes, type Lanes, type LaneWork, workLanes } from './lanes.ts'
import { createProducerConnection, createWorkerConnection } from './queue-connections.ts'
import { createRest, type Rest } from './rest.ts'
import { type SweepOptions, sweepEvery } from './sweep.ts'
import { createSweepTurn } from './sweep-turn.ts'

/** Milliseconds that a command waits for Redis. */
const connectMs = 5000

/** The queues of a process. A server queues, a worker process also works. */
export interface Queues {
  /** @param options the same wherever the queue is named. */
  readonly jobs: (name: string, options?: JobOptions) => Jobs
  /** @param service the one whose workers drain them, where that is another one. */
  readonly lanes: (name: string, service?: string) => Lanes
  readonly workJobs: (name: string, work: JobWork) => void
  readonly workLanes: (name: string, work: LaneWork) => void
  /**
   * Runs `sweep` again and again until the queues are closed, but not while the work of this process waits: in one of the processes of its
   * name, and seldom while none of them has work.
   * @param sweepMs the pause between two runs.
   */
  readonly sweepEvery: (sweepMs: number, sweep: () => Promise<unknown>, options?: Pick<SweepOptions, 'idleMs'>) => void
  /** Lets the work of this process wait. */
  readonly rest: Rest
  /** Counts the dead jobs of each queue that this process works on. */
  readonly countDead: () => Promise<Record<string, number>>
  /** Names of the service's queues of records, without the service, as Redis knows them. */
  readonly names: () => Promise<string[]>
  readonly isReachable: () => Promise<boolean | 'read-only'>
  /** Lets workers finish the work in hand, within `withinMs`; then closes the connections. */
  readonly close: (withinMs: number) => Promise<void>
}

/**
 * @param options.service becomes part of every queue's name, so that services can share a Redis.
 * @param options.worker name of the worker process, one of whose replicas sweeps; absent where each does.
 */
export function createQueues(options: {
  url: string
  service: string
  logger: Logger
  metrics: Metrics
  worker?: string
}): Queues {
  const { url, service, logger, metrics, worker } = options
  const finished = new Counter({
    name: 'queue_jobs_total',
    help: 'Jobs that workers finished, by queue and result',
    labelNames: ['queue', 'result'],
    registers: [metrics.registry],
  })
  const refused = new Counter({
    name: 'queue_errors_total',
    help: 'Errors that Redis or the connection to it gave to workers, by queue',
    labelNames: ['queue'],
    registers: [metrics.registry],
  })
  const rest = createRest()
  const redis = createProducerConnection(url, { name: `${service}-queues`, logger })
  const turn = worker === undefined ? undefined : createSweepTurn(redis, worker)
  const tools = {
    logger,
    rest,
    turn,
    count: (queue: string, result: string, jobs = 1) => finished.inc({ queue, result }, jobs),
    countErrors: (queue: string, errors: number) => refused.inc({ queue }, errors),
  }
  const producers = new Map<string, Jobs | Lanes>()
  const stops: ((withinMs: number) => Promise<void>)[] = []
  const worked = new Map<string, Jobs>()
  let connection: Redis | undefined

  const once = <T extends Jobs | Lanes>(fullName: string, create: (fullName: string) => T): T => {
    const known = producers.get(fullName)
    // A name is used for one shape alone.
    if (known) return known as T
    const created = create(fullName)
    producers.set(fullName, created)
    return created
  }
  const jobs = (name: string, options: JobOptions = {}) =>
    once(`${service}-${name}`, (fullName) => createJobs(fullName, redis, { ...options, ...tools }))
  const lanes = (name: string, of = service) => once(`${of}-${name}`, (fullName) => createLanes(fullName, redis, tools))
  const workerConnection = () => {
    connection ??= createWorkerConnection(url, { name: `${service}-workers`, logger })
    return connection
  }

  return {
    jobs,
    lanes,
    rest,
    sweepEvery: (sweepMs, sweep, options) => {
      const awake = async () => void (await rest.whenAwake(sweep))
      stops.push(sweepEvery(sweepMs, awake, logger, { ...options, turn }))
    },
    workJobs: (name, work) => {
      const { keepsWakes } = work
      const fullName = `${service}-${name}`
      const queue = jobs(name, { keepsWakes })
      worked.set(fullName, queue)
      stops.push(workJobs(fullName, workerConnection(), queue, work, tools))
    },
    workLanes: (name, work) => {
      stops.push(workLanes(`${service}-${name}`, workerConnection(), lanes(name), work, tools))
    },
    countDead: async () => {
      const counts = await Promise.all(
        [...worked].map(async ([name, { countDead }]) => [name, await countDead()] as const),
      )
      return Object.fromEntries(counts)
    },
    names: async () => {
      // A command asks as soon as it has started.
      if (redis.status !== 'ready') await emitted(redis, 'ready', { signal: AbortSignal.timeout(connectMs) })
      const names: string[] = []
      for await (const keys of redis.scanStream({ match: `queue:${service}-*:meta` }) as AsyncIterable<string[]>)
        names.push(...keys.map((key) => key.slice(`queue:${service}-`.length, -':meta'.length)))
      return names.sort()
    },
    isReachable: () => redisAnswers(redis),
    close: async (withinMs) => {
      await Promise.all(stops.map((stop) => stop(withinMs)))
      await turn?.close()
      await Promise.all([...producers.values()].map((producer) => producer.close()))
      redis.disconnect()
      connection?.disconnect()
    },
  }
}
