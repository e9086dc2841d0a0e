import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Component, StackContext } from '../component.ts'
import { wantsContainers } from '../containers/backing.ts'
import { containerProgram } from '../containers/program.ts'
import { backingUrl, hostOf, inheritedEnvironment } from '../environment.ts'
import { ensureFolder } from '../folders.ts'
import { redisTool } from '../tools/manifest.ts'
import { toolFor } from '../tools/tool-for.ts'
import { versionSeries } from '../tools/versions.ts'
import { acceptsConnections } from './health.ts'

/** Valkey or Redis with its writes on disk within a second, or the server that REDIS_URL names. */
export function redisComponent(context: StackContext): Component {
  const url = backingUrl(context.environment, 'REDIS_URL')
  const base = { name: 'redis', label: 'Redis', kind: 'real', needs: [] } as const
  if (url) {
    const choice = { source: 'environment', what: hostOf(url) } as const
    const remote = { variable: 'REDIS_URL', isHealthy: () => isRedisHealthy(url) }
    return { ...base, address: hostOf(url), dataAt: 'there', env: {}, choice, remote }
  }
  const port = context.ports.redis
  const dataDir = join(context.paths.data, 'redis')
  const env = inheritedEnvironment(context.environment)
  return {
    ...base,
    address: `redis://127.0.0.1:${port}`,
    dataAt: dataDir,
    env,
    local: {
      ports: ['redis'],
      startTimeoutMs: 30_000,
      prepare: async () => {
        if (wantsContainers(context)) return container(context, port, dataDir)
        const tool = await toolFor(redisTool, context)
        ensureFolder(dataDir)
        const command = { file: tool.path, args: serverArguments(port, dataDir), env, cwd: dataDir }
        const choice = { source: 'local', what: `${tool.command} ${versionSeries(tool.version)}` } as const
        return { command, choice, version: tool.version }
      },
      isHealthy: async () => (await acceptsConnections(port)) && (await isRedisHealthy(redisUrl(context))),
    },
  }
}

function container(context: StackContext, port: number, dataDir: string) {
  ensureFolder(dataDir)
  const args = serverArguments(port, '/data')
  const mounts = [{ source: dataDir, target: '/data', mode: 'rw' as const }]
  // The image may be of either.
  const entrypoint = ['bash', '-c', 'exec "$(command -v valkey-server || command -v redis-server)" "$@"', 'redis']
  return containerProgram({ name: 'redis', image: 'VALKEY_IMAGE', entrypoint, args, mounts }, context)
}

/** The URL under which a process reaches the stack's Redis. */
export const redisUrl = (context: Pick<StackContext, 'environment' | 'ports'>): string =>
  backingUrl(context.environment, 'REDIS_URL') ?? `redis://127.0.0.1:${context.ports.redis}`

/** True if the server behind the URL answers PING; it does not while it still loads its data. */
export async function isRedisHealthy(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 2000,
    commandTimeout: 2000,
  })
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

function serverArguments(port: number, dataDir: string): string[] {
  return [
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', dataDir],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    // Without snapshots beside the log there is one copy of the data to keep whole.
    ...['--save', '', '--set-proc-title', 'no'],
  ]
}
