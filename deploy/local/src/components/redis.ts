import { openRedis } from '@parley/service-kit/core/redis-address'
import type { Component, StackContext } from '../component.ts'
import { backingUrl } from '../environment.ts'
import { redisTool } from '../tools/manifest.ts'
import { storeComponent } from './store.ts'

/** Runs Valkey or Redis with its writes on disk within a second, or uses the server that REDIS_URL names. */
export const redisComponent = (context: StackContext): Component =>
  storeComponent(context, {
    name: 'redis',
    label: 'Redis',
    variable: 'REDIS_URL',
    tool: redisTool,
    argumentsFor: (folder) => [
      ...['--bind', '127.0.0.1', '--port', String(context.ports.redis), '--dir', folder],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
      // No snapshots beside the log: there is one copy of the data to keep intact.
      ...['--save', '', '--set-proc-title', 'no'],
    ],
    container: {
      image: 'VALKEY_IMAGE',
      // The image may be of either.
      entrypoint: ['bash', '-c', 'exec "$(command -v valkey-server || command -v redis-server)" "$@"', 'redis'],
      folder: '/data',
    },
    isUrlHealthy: isRedisHealthy,
    isReady: () => isRedisHealthy(redisUrl(context)),
  })

/** The URL under which a process reaches the stack's Redis. */
export const redisUrl = (context: Pick<StackContext, 'environment' | 'ports'>): string =>
  backingUrl(context.environment, 'REDIS_URL') ?? `redis://127.0.0.1:${context.ports.redis}`

/** True if the server behind the URL answers PING; it does not while it still loads its data. */
export async function isRedisHealthy(url: string): Promise<boolean> {
  const timeouts = { connectTimeout: 2000, commandTimeout: 2000 }
  const redis = openRedis(url, { ...timeouts, lazyConnect: true, retryStrategy: () => null })
  // Failures are the answer of the ping below.
  redis.on('error', () => {})
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}
