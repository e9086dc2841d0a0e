import type { Redis } from 'ioredis'
import type { Logger } from '../core/logger.ts'
import { leaveReplica, leavingReplicas } from '../core/redis.ts'
import { openRedis } from '../core/redis-address.ts'

interface Options {
  readonly name: string
  readonly logger: Logger
}

interface Limits {
  readonly maxRetriesPerRequest: number | null
  readonly commandTimeout?: number
  readonly enableOfflineQueue?: boolean
}

/**
 * A connection to queue with: with the server away a command fails at once, so that a request does not wait for it. Not the one
 * of `createRedis`, whose automatic pipelines do not go with the transactions of BullMQ.
 */
export const createProducerConnection = (url: string, options: Options): Redis =>
  connect(url, options, { maxRetriesPerRequest: 1, commandTimeout: 1000, enableOfflineQueue: false })

/**
 * A connection that workers wait on: it blocks for as long as nothing comes, so its commands have no time limit and are
 * repeated until the server is back.
 */
export const createWorkerConnection = (url: string, options: Options): Redis =>
  connect(url, options, { maxRetriesPerRequest: null })

function connect(url: string, { name, logger }: Options, options: Limits): Redis {
  let reachable = true
  const opened = openRedis(url, {
    ...options,
    connectionName: name,
    connectTimeout: 2000,
    reconnectOnError: leaveReplica(),
    retryStrategy: (failedAttempts) => Math.min(50 * 2 ** failedAttempts, 2000),
  })
  const redis = leavingReplicas(opened)
  redis.on('error', (error) => {
    if (reachable) logger.error({ err: error, connection: name }, 'redis is not reachable for queues')
    reachable = false
  })
  redis.on('ready', () => {
    if (!reachable) logger.info({ connection: name }, 'redis is reachable for queues again')
    reachable = true
  })
  return redis
}
