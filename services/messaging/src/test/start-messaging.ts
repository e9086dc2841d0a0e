import { randomBytes } from 'node:crypto'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createSecretBox, Secret } from '@parley/service-kit/core/secret-box'
import { createQueues } from '@parley/service-kit/queue/queues'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { Types } from 'mongoose'
import { inject } from 'vitest'
import { createServices } from '../services.ts'

const entry = (name: string) => `${import.meta.dirname}/../${name}.ts`
const simulatorFile = `${import.meta.dirname}/../../../simulator/src/server.ts`

/** Ingest and worker as processes, a simulator with one number that is connected, and the services to look at what they do. */
export async function startMessaging() {
  const { urls } = inject('stack')
  const database = await openTestDatabase(urls.mongodb)
  const redisUrl = urls.redis
  const key = randomBytes(32)
  const environment = {
    MONGODB_URL: database.url,
    REDIS_URL: redisUrl,
    SECRET_KEYS: `k1:${key.toString('base64')}`,
    HOOKS_PUBLIC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
  }
  const [simulated, ingest, worker] = await Promise.all([
    startProcess(simulatorFile, { LOG_LEVEL: 'warn' }),
    startProcess(entry('ingest'), environment, '/readyz'),
    startProcess(entry('worker'), environment, '/readyz'),
  ])
  const logger = createLogger({ name: 'messaging-test', level: 'silent' })
  const queues = createQueues({ url: redisUrl, service: 'messaging', logger, metrics: createMetrics('messaging-test') })
  const services = createServices({
    logger,
    mongo: database.connection,
    box: createSecretBox([{ id: 'k1', key }]),
    applyLanes: queues.lanes('apply'),
    sendLanes: queues.lanes('send'),
    hooksUrl: ingest.url,
  })
  const simulator = {
    url: simulated.url,
    /** What it answers is for the test to know. */
    // biome-ignore lint/suspicious/noExplicitAny: another process's answer, of a shape that each test knows.
    call: async (path: string, body?: object): Promise<any> => {
      const response = await fetch(`${simulated.url}/sim${path}`, {
        method: body ? 'POST' : 'GET',
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return response.json()
    },
  }
  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  const place = await simulator.call('/numbers', { name: 'Test Shop' })
  const number = await services.numbers.connect(scope, {
    displayName: 'Test Shop',
    phoneNumber: place.displayNumber,
    phoneNumberId: place.phoneNumberId,
    businessAccountId: place.accountId,
    accessToken: new Secret(place.accessToken),
    appSecret: new Secret(place.appSecret),
    graphUrl: simulated.url,
    simulated: true,
  })
  const stop = async () => {
    await Promise.all([ingest.stop(), worker.stop(), simulated.stop()])
    await queues.close(0)
    await services.graphs.close()
    await database.drop()
  }
  return { scope, services, simulator, number, place, database, ingest, worker, stop }
}
