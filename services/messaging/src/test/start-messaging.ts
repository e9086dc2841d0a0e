import { randomBytes, randomUUID } from 'node:crypto'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { createRedisUser } from '@parley/service-kit/testing/redis-user'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { inject } from 'vitest'
import { createWorkspace } from './create-workspace.ts'
import { askingEnvironment, startMembers } from './start-members.ts'

const entry = (name: string) => `${import.meta.dirname}/../${name}.ts`
const simulatorFile = `${import.meta.dirname}/../../../simulator/src/server.ts`

/**
 * Server, ingest and worker as processes of one test file, which may stop them, and what {@link joinMessaging} gives.
 * @param settings further variables of the server.
 * @param common those of each process.
 */
export async function startMessaging(settings: Record<string, string> = {}, common: Record<string, string> = {}) {
  const simulated = await startSimulator()
  const processes = await startProcesses('file', { SIMULATOR_URL: simulated.url, ...settings }, common)
  const workspace = await createWorkspace(processes, simulated)
  const stop = async () => {
    await Promise.all([workspace.stop(), processes.stop()])
  }
  return { ...processes, ...workspace, stop }
}

/** Processes shared by all files of this worker of the test run; they end with it. */
let shared: ReturnType<typeof startProcesses> | undefined

/**
 * A workspace of one test file, for tests that leave the processes alone: people who call the server, a simulator with one
 * number that is connected to the workspace, and the services to look at what all of them do. Server, ingest, worker and
 * database have served workspaces of other files before.
 */
export async function joinMessaging() {
  shared ??= startProcesses('worker', {})
  // The next file tries again.
  shared.catch(() => (shared = undefined))
  const [processes, simulated] = await Promise.all([shared, startSimulator()])
  const { server, ingest, startWebhooks, database, members, redisUrl, automationPort } = processes
  return {
    ...(await createWorkspace(processes, simulated)),
    server,
    ingest,
    startWebhooks,
    database,
    members,
    redisUrl,
    automationPort,
  }
}

async function startProcesses(
  kept: 'file' | 'worker',
  settings: Record<string, string>,
  common: Record<string, string> = {},
) {
  const { urls } = inject('stack')
  const [database, authority, redisUrl] = await Promise.all([
    openTestDatabase(urls.mongodb),
    startInternalAuthority('automation', 'automation-worker', 'profile', 'profile-worker'),
    emptyTestRedis(urls.redis, kept),
  ])
  const user = await createRedisUser(redisUrl, 'messaging')
  const key = randomBytes(32)
  const environment = {
    MONGODB_URL: database.url,
    REDIS_URL: user.url,
    SECRET_KEYS: `k1:${key.toString('base64')}`,
    HOOKS_PUBLIC_URL: 'http://127.0.0.1:9',
    PLAN_LIMITS: 'on',
    BILLING: 'open',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'warn',
    ...common,
  }
  const [profilePort, automationPort] = [await freePort(), await freePort()]
  const asServer = askingEnvironment(profilePort)
  const forWorker = { ...askingEnvironment(profilePort), AUTOMATION_URL: `http://127.0.0.1:${automationPort}` }
  const startWorker = () => startProcess(entry('worker'), { ...environment, ...forWorker }, '/readyz')
  const startWebhooks = () => startProcess(entry('webhooks'), environment, '/readyz')
  const managementPort = String(await freePort())
  const forIngest = { ...environment, HOOKS_PUBLIC_URL: 'https://hooks.test', MANAGEMENT_PORT: managementPort }
  const [started, worker] = await Promise.all([startProcess(entry('ingest'), forIngest, '/readyz'), startWorker()])
  const ingest = { ...started, managementUrl: `http://127.0.0.1:${managementPort}` }
  const forServer = { HOOKS_PUBLIC_URL: ingest.url, LINKS_PUBLIC_URL: ingest.url, INTERNAL_ISSUERS: authority.issuers }
  const serverEnvironment = { ...environment, ...asServer, ...forServer, ...settings }
  const startServer = () => startProcess(entry('server'), serverEnvironment, '/readyz')
  const server = await startServer()
  let profile: ReturnType<typeof startMembers> | undefined
  const issuers = [
    authority.issuers,
    `messaging=${server.url}/internal/jwks.json`,
    `messaging-worker=${worker.url}/internal/jwks.json`,
  ].join(',')
  /** The members of workspaces. Profile is not started until a test asks for them. */
  const members = () => (profile ??= startMembers({ port: profilePort, issuers, redisUrl }))
  const stop = async () => {
    await (await profile)?.stop()
    await Promise.all([server.stop(), ingest.stop(), worker.stop()])
    await Promise.all([database.drop(), authority.close(), user.remove()])
  }
  return {
    server,
    ingest,
    worker,
    startServer,
    startWorker,
    startWebhooks,
    database,
    redisUrl,
    key,
    authority,
    members,
    /** Address at which the worker looks for automation, should a test start it. */
    automationPort,
    stop,
  }
}

/** One of several that give out different ids. */
const startSimulator = () => startProcess(simulatorFile, { LOG_LEVEL: 'warn', SIMULATOR_SEED: randomUUID() })
