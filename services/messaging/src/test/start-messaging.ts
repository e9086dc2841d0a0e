import { randomBytes } from 'node:crypto'
import type { Role } from '@parley/contracts/permissions'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createSecretBox, Secret } from '@parley/service-kit/core/secret-box'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { createQueues } from '@parley/service-kit/queue/queues'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Types } from 'mongoose'
import { inject } from 'vitest'
import { createServices } from '../services.ts'
import { simulatorControl } from './simulator-control.ts'

const entry = (name: string) => `${import.meta.dirname}/../${name}.ts`
const simulatorFile = `${import.meta.dirname}/../../../simulator/src/server.ts`

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
  readonly body: any
}

/**
 * Server, ingest and worker as processes, a simulator with one number that is connected to a workspace, people of that
 * workspace who call the server, and the services to look at what all of them do.
 * @param settings further variables of the server.
 */
export async function startMessaging(settings: Record<string, string> = {}) {
  const { urls } = inject('stack')
  const [database, authority, redisUrl] = await Promise.all([
    openTestDatabase(urls.mongodb),
    startInternalAuthority(),
    emptyTestRedis(urls.redis),
  ])
  const key = randomBytes(32)
  const environment = {
    MONGODB_URL: database.url,
    REDIS_URL: redisUrl,
    SECRET_KEYS: `k1:${key.toString('base64')}`,
    HOOKS_PUBLIC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
  }
  const startWorker = () => startProcess(entry('worker'), environment, '/readyz')
  const [simulated, ingest, worker] = await Promise.all([
    startProcess(simulatorFile, { LOG_LEVEL: 'warn' }),
    startProcess(entry('ingest'), environment, '/readyz'),
    startWorker(),
  ])
  const forServer = {
    ...environment,
    HOOKS_PUBLIC_URL: ingest.url,
    INTERNAL_ISSUERS: authority.issuers,
    SIMULATOR_URL: simulated.url,
  }
  const server = await startProcess(entry('server'), { ...forServer, ...settings }, '/readyz')
  const logger = createLogger({ name: 'messaging-test', level: 'silent' })
  const metrics = createMetrics('messaging-test')
  const queues = createQueues({ url: redisUrl, service: 'messaging', logger, metrics })
  const services = createServices({
    logger,
    metrics,
    mongo: database.connection,
    box: createSecretBox([{ id: 'k1', key }]),
    cursors: createPageCursors('a secret of these tests, long enough'),
    queues,
    hooksUrl: ingest.url,
  })
  const simulator = {
    url: simulated.url,
    call: simulatorControl(simulated.url),
  }

  /** Somebody who has signed in. Each call has a token of its own: it lives two minutes. */
  function signIn({ role = 'owner', workspaceId = scope.workspaceId }: { role?: Role; workspaceId?: string } = {}) {
    const userId = new Types.ObjectId().toHexString()
    const token = () =>
      authority.userToken({
        sub: userId,
        wid: workspaceId,
        role,
        aud: 'messaging',
        email: `${userId}@example.com`,
        email_verified: true,
        provider: 'password',
      })
    /** The answer as it comes, for a stream. */
    const request = async (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await token()}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
    const call = async (...args: Parameters<typeof request>): Promise<Answer> => {
      const answer = await request(...args)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
    }
    return { userId, workspaceId, token, request, call }
  }

  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  const place = await simulator.call('/numbers', { name: 'Test Shop' })
  await services.endpoints.addAppSecret(scope, new Secret(place.appSecret), { simulated: true })
  const number = await services.numberConnection.connect(scope, {
    displayName: 'Test Shop',
    phoneNumber: place.displayNumber,
    phoneNumberId: place.phoneNumberId,
    businessAccountId: place.accountId,
    accessToken: new Secret(place.accessToken),
    graphUrl: simulated.url,
    simulated: { phonePageUrl: simulated.url },
  })
  const stop = async () => {
    await Promise.all([server.stop(), ingest.stop(), worker.stop(), simulated.stop()])
    await queues.close(0)
    await services.graphs.close()
    await Promise.all([database.drop(), authority.close()])
  }
  const processes = { server, ingest, worker, startWorker }
  return { scope, services, simulator, number, place, database, redisUrl, ...processes, signIn, stop }
}
