import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'
import { tracing } from './tracing.ts'

/**
 * A Redis connection that fails fast instead of queueing: a command waits at most `commandTimeoutMs`, and with the server
 * away it rejects at once. The connection itself is retried for ever, at most two seconds apart.
 */
export function createRedis(url: string, options: { name: string; logger: Logger; commandTimeoutMs?: number }): Redis {
  const redis = new Redis(url, {
    connectionName: options.name,
    lazyConnect: true,
    enableOfflineQueue: false,
    // Commands of several requests in one pipeline would all be told as the first one's.
    enableAutoPipelining: tracing() === undefined,
    maxRetriesPerRequest: 1,
    commandTimeout: options.commandTimeoutMs ?? 1000,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2000),
  })
  let reachable = true
  redis.on('error', (error) => {
    if (reachable) options.logger.error({ err: error }, 'redis is not reachable')
    reachable = false
  })
  redis.on('ready', () => {
    if (!reachable) options.logger.info('redis is reachable again')
    reachable = true
  })
  redis.connect().catch(() => {
    // Reported by the error event; the connection goes on trying.
  })
  return redis
}

/** Resolves once the server answers, or after `timeoutMs` with `false`. */
export async function redisAnswers(redis: Redis, timeoutMs = 1000): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref())
  const answer = redis.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timeout])
}
