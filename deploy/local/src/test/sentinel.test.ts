import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createRedis, redisAnswers } from '@parley/service-kit/core/redis'
import { createProducerConnection, createWorkerConnection } from '@parley/service-kit/queue/queue-connections'
import { createQueues } from '@parley/service-kit/queue/queues'
import { freePort } from '@parley/service-kit/testing/free-port'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lookAtRedis } from '../diagnosis-stores.ts'
import { sharedToolsDir } from '../paths.ts'
import { redisTool } from '../tools/manifest.ts'
import { toolFor } from '../tools/tool-for.ts'

// Servers are started, and a failover takes its time.
vi.setConfig({ testTimeout: 180_000 })

const logger = createLogger({ name: 'test', level: 'silent' })
const group = 'parley'

let folder: string
let servers: ChildProcess[]
let primary: ChildProcess
let url: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-sentinel-'))
  servers = []
  const { path } = await toolFor(redisTool, { toolsDir: sharedToolsDir, note: () => {} })
  const run = async (lines: readonly string[], ...more: string[]) => {
    const port = await freePort()
    const home = join(folder, String(port))
    mkdirSync(home)
    const file = join(home, 'server.conf')
    writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${home}`, ...lines, ''].join('\n'))
    const child = spawn(path, [file, ...more], { stdio: 'ignore' })
    servers.push(child)
    return { port, child }
  }
  const first = await run(['save ""', 'maxmemory-policy noeviction'])
  primary = first.child
  await run(['save ""', 'maxmemory-policy noeviction', `replicaof 127.0.0.1 ${first.port}`])
  const sentinels = []
  for (let index = 0; index < 3; index += 1)
    sentinels.push(
      await run(
        [
          `sentinel monitor ${group} 127.0.0.1 ${first.port} 2`,
          `sentinel down-after-milliseconds ${group} 1000`,
          `sentinel failover-timeout ${group} 5000`,
        ],
        '--sentinel',
      ),
    )
  url = `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${group}`
  await untilWatched(sentinels[0]?.port ?? 0)
})
afterEach(async () => {
  for (const server of servers) {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** The Sentinels know each other and the replica: they can agree, and have a server to choose. */
async function untilWatched(port: number): Promise<void> {
  const sentinel = createProducerConnection(`redis://127.0.0.1:${port}`, { name: 'test', logger })
  try {
    await expect
      .poll(async () => {
        const found = await sentinel.call('SENTINEL', 'MASTER', group).catch(() => [])
        const fields = Array.isArray(found) ? found.map(String) : []
        const of = (name: string) => fields[fields.indexOf(name) + 1]
        return { replicas: of('num-slaves'), others: of('num-other-sentinels') }
      })
      .toEqual({ replicas: '1', others: '2' })
  } finally {
    sentinel.disconnect()
  }
}

test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'after %s of the primary every kind of connection writes to the next one, and queued work is done',
  async (signal) => {
    const connections = [createRedis, createProducerConnection, createWorkerConnection].map((open) =>
      open(url, { name: 'test', logger }),
    )
    const queues = createQueues({ url, service: 'test', logger, metrics: createMetrics('test') })
    const done: string[] = []
    queues.workJobs('work', {
      perform: async ({ id }) => void done.push(id),
      pendingRecords: async () => [{ id: primary.killed ? 'after' : 'before', workspaceId: 'w' }],
      sweepMs: 200,
    })
    try {
      await expect.poll(() => done).toContain('before')
      for (const redis of connections) await expect.poll(() => redisAnswers(redis)).toBe(true)
      expect(await lookAtRedis(url)).toMatchObject({ verdict: 'ok' })
      primary.kill(signal)
      for (const redis of connections) await expect.poll(() => redisAnswers(redis)).toBe(true)
      await expect.poll(() => done).toContain('after')
      expect(await queues.isReachable()).toBe(true)
    } finally {
      for (const redis of connections) redis.disconnect()
      await queues.close(1000)
    }
  },
)
