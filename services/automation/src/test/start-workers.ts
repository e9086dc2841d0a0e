import { randomBytes } from 'node:crypto'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { makeSigningKey } from '@parley/service-kit/testing/internal-authority'
import { createRedisUser } from '@parley/service-kit/testing/redis-user'
import { startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { inject } from 'vitest'
import { createMessagingModel } from './messaging-model.ts'
import { serveModel } from './serve-model.ts'
import { startServices } from './start-services.ts'

/** Number of kills after each of which the queues are emptied too. */
const emptiedEvery = 3

/** Starts two workers as processes, on stores of their own, with messaging in this one. Each event is given twice and more. */
export async function startWorkers(traced: Record<string, string> = {}, traces?: Parameters<typeof serveModel>[1]) {
  const messaging = createMessagingModel({ now: Date.now, redelivers: 5 })
  const { urls } = inject('stack')
  const [database, redisUrl, served] = await Promise.all([
    openTestDatabase(urls.mongodb),
    emptyTestRedis(urls.redis),
    serveModel(messaging, traces),
  ])
  const user = await createRedisUser(redisUrl, 'automation-worker')
  const environment = {
    MONGODB_URL: database.url,
    REDIS_URL: user.url,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    INTERNAL_TOKEN_KEYS: JSON.stringify([makeSigningKey('k1')]),
    MESSAGING_URL: served.url,
    PROFILE_URL: served.url,
    CONNECTION_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'error',
    ...traced,
  }
  const start = () => startProcess(`${import.meta.dirname}/../worker.ts`, environment, '/readyz')
  const workers: (TestProcess | undefined)[] = await Promise.all([start(), start()])
  const { queues, services, owner, addBot, addWorkflow } = startServices(messaging, {
    connection: database.connection,
    redisUrl,
  })
  const { workspaceId } = messaging.workspace
  return {
    messaging,
    services,
    owner,
    addBot,
    addWorkflow,
    runs: database.connection.collection('runs'),
    steps: database.connection.collection('steps'),
    wake: () => void queues.lanes('events').wake([laneOf(workspaceId)]),
    /** Kills one of the workers, empties the queues each third time, and starts another. */
    killed: async (turn: number) => {
      const workerIndex = turn % workers.length
      await workers[workerIndex]?.kill()
      if (turn % emptiedEvery === 0) await user.operator.flushdb()
      workers[workerIndex] = await start()
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker?.stop()))
      await queues.close(0)
      await user.remove()
      served.close()
      await database.drop()
    },
  }
}
