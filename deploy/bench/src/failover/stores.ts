import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRedisHealthy } from '@parley/local/components/redis'
import { sharedToolsDir } from '@parley/local/paths'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { redisTool } from '@parley/local/tools/manifest'
import { toolFor } from '@parley/local/tools/tool-for'
import { freePort } from '@parley/service-kit/testing/free-port'
import { Redis } from 'ioredis'
import { startBalancer } from '../faults/balancer.ts'
import { startReplicaSet } from '../faults/replica-set.ts'
import { startProgram, until } from '../program.ts'
import { log } from '../report.ts'

/** Starts a replica set of three, and two Redis servers behind one address, of which the second is a copy of the first. */
export async function startStores(cleanUp: AsyncDisposableStack, electionMs: number) {
  const folder = throwAwayFolder()
  cleanUp.defer(async () => rmSync(folder, { recursive: true, force: true }))
  const mongodb = await startReplicaSet(folder, cleanUp, electionMs)
  const { path } = await toolFor(redisTool, { toolsDir: sharedToolsDir, note: log })
  const [port, first, second] = [await freePort(), await startRedis(), await startRedis()]
  /** Address to which new connections go; those that are open stay where they are, as with a name that now leads elsewhere. */
  const targets = [first.port]
  cleanUp.use(await startBalancer(port, targets))
  await second.client.replicaof('127.0.0.1', first.port)
  await untilCopied(second.client)
  return { mongodb, redisUrl: `redis://127.0.0.1:${port}`, failOver }

  async function startRedis() {
    const redisPort = await freePort()
    const dir = join(folder, `redis-${redisPort}`)
    mkdirSync(dir)
    const url = `redis://127.0.0.1:${redisPort}`
    const args = [
      ...['--bind', '127.0.0.1', '--port', String(redisPort), '--dir', dir, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ]
    const isHealthy = () => isRedisHealthy(url)
    cleanUp.use(await startProgram({ name: `redis-${redisPort}`, folder, file: path, args, env: {}, isHealthy }))
    const client = new Redis(url)
    cleanUp.defer(async () => client.disconnect())
    return { port: redisPort, client }
  }

  /** Makes the second server the primary and the first its copy, as a managed failover does: the first stays, and only reads. */
  async function failOver(): Promise<void> {
    targets[0] = second.port
    await second.client.replicaof('NO', 'ONE')
    await first.client.replicaof('127.0.0.1', second.port)
    await untilCopied(first.client)
  }
}

const untilCopied = (replica: Redis): Promise<void> =>
  until('one Redis is a copy of the other', async () => (await replica.info('replication')).includes('link_status:up'))
