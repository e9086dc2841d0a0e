import type { Redis } from 'ioredis'
import { logFailedAttempt, pauseAfter, type Retry } from './keep-reaching.ts'
import type { Logger } from './logger.ts'
import { openRedis } from './redis-address.ts'
import { tracing } from './tracing.ts'

/** Longer than this process may be stalled itself (a busy machine, a garbage collection), with the answer unread meanwhile. */
const defaultCommandTimeoutMs = 4000

const retries = new WeakMap<Redis, () => Retry | undefined>()

interface Options {
  readonly name: string
  readonly logger: Logger
  readonly commandTimeoutMs?: number
  /** Called where the server refuses the credentials at start: trying again does not help. */
  readonly onRefused?: (error: Error) => void
}

/**
 * A Redis connection that fails fast instead of queueing: a command waits at most `commandTimeoutMs`, and with the server
 * away it rejects at once. The connection itself is retried for ever: with growing pauses until it stands for the first
 * time, at most two seconds apart afterwards.
 */
export function createRedis(
  url: string,
  { name, logger, commandTimeoutMs = defaultCommandTimeoutMs, onRefused }: Options,
): Redis {
  let wasReady = false
  let reachable = true
  let lastError: Error | undefined
  let retry: Retry | undefined
  const redis = openRedis(url, {
    connectionName: name,
    lazyConnect: true,
    enableOfflineQueue: false,
    // Commands of several requests in one pipeline would all be traced as those of the first request.
    enableAutoPipelining: tracing() === undefined,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2000,
    reconnectOnError: leaveReplica(),
    retryStrategy: (failedAttempts) =>
      wasReady ? Math.min(50 * 2 ** failedAttempts, 2000) : pauseAfter(failedAttempts),
  })
  retries.set(redis, () => retry)
  redis.on('error', (error) => {
    lastError = error
    if (wasReady && reachable) logger.error({ err: error }, 'redis is not reachable')
    reachable = false
    if (!wasReady && isRefusal(error))
      onRefused?.(new Error(`Redis refuses the credentials of REDIS_URL: ${error.message}`))
  })
  redis.on('reconnecting', (pauseMs: number) => {
    if (wasReady) return
    const failedAttempts = (retry?.failedAttempts ?? 0) + 1
    retry = { failedAttempts, nextAttemptAt: Date.now() + pauseMs }
    logFailedAttempt(logger, 'redis', lastError ?? new Error('the connection was closed'), { failedAttempts, pauseMs })
  })
  redis.on('ready', () => {
    if (!reachable) logger.info('redis is reachable again')
    wasReady = true
    reachable = true
    retry = undefined
  })
  redis.connect().catch(() => {
    // The events report the error; the connection keeps trying.
  })
  return redis
}

/** Milliseconds between two attempts to leave a server that takes no writes: its reads go on meanwhile. */
const leaveEveryMs = 2000

/**
 * Returns ioredis's `reconnectOnError` for one connection. After a failover an open connection leads to the server that is a replica
 * now, which refuses writes for ever; a new one to the same address reaches the primary. The refused command fails as it did.
 */
export function leaveReplica(): (error: Error) => false | 1 {
  let leftAt = Number.NEGATIVE_INFINITY
  return ({ message }) => {
    const now = performance.now()
    if (!message.startsWith('READONLY') || now - leftAt < leaveEveryMs) return false
    leftAt = now
    return 1
  }
}

/** Has each copy of a connection leave a replica by itself: BullMQ makes one for each queue, and copies its options. */
export function leavingReplicas(redis: Redis): Redis {
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (options) => leavingReplicas(duplicate({ ...options, reconnectOnError: leaveReplica() }))
  return redis
}

const isRefusal = ({ message }: Error): boolean =>
  /^(WRONGPASS|NOAUTH|NOPERM)\b|without any password configured/.test(message)

/** Returns the failed attempts of a connection of {@link createRedis} that was never established, and the time of the next one. */
export const redisRetry = (redis: Redis): Retry | undefined => retries.get(redis)?.()

/**
 * Returns whether the server answers within `timeoutMs`, and whether it takes writes: a full one (`maxmemory` with `noeviction`,
 * a disk that snapshots cannot be written to) and a replica refuse them and still answer reads.
 */
export async function redisAnswers(redis: Redis, timeoutMs = 1000): Promise<boolean | 'read-only'> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref())
  const answer = redis.set('ready', '1', 'PX', 1000).then(
    () => true,
    (error: unknown) => (refusesWrites(error) ? ('read-only' as const) : false),
  )
  return Promise.race([answer, timeout])
}

/** Codes of Redis's own errors: OOM, MISCONF, READONLY, NOREPLICAS. */
const refusesWrites = (error: unknown): boolean =>
  error instanceof Error && /^(OOM|MISCONF|READONLY|NOREPLICAS)\b/.test(error.message)
