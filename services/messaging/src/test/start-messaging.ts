import { randomBytes, randomUUID } from 'node:crypto'
import type { Permission, Role } from '@parley/contracts/account/permissions'
import { redisRules } from '@parley/processes/processes'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createOutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createSecretBox, Secret } from '@parley/service-kit/core/secret-box'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { createQueues } from '@parley/service-kit/queue/queues'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { inject } from 'vitest'
import { createIngest } from '../ingest-services.ts'
import { createLinkTokens } from '../modules/outbound/link-tokens.ts'
import { createServices } from '../services.ts'
import { simulatorControl } from './simulator-control.ts'
import { askingEnvironment, startMembers } from './start-members.ts'

const entry = (name: string) => `${import.meta.dirname}/../${name}.ts`
const simulatorFile = `${import.meta.dirname}/../../../simulator/src/server.ts`

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
  readonly body: any
}

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
  const user = await createRedisUser(redisUrl)
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

/** The user as whom the processes of messaging run: what reaches past their own keys fails in every test. */
async function createRedisUser(redisUrl: string) {
  const operator = new Redis(redisUrl)
  const name = `messaging-${randomUUID()}`
  const password = randomUUID()
  await operator.call('ACL', 'SETUSER', name, 'on', `>${password}`, ...redisRules('messaging'))
  const remove = async () => {
    await operator.call('ACL', 'DELUSER', name)
    operator.disconnect()
  }
  return { url: Object.assign(new URL(redisUrl), { username: name, password }).href, remove }
}

/** One of several that give out different ids. */
const startSimulator = () => startProcess(simulatorFile, { LOG_LEVEL: 'warn', SIMULATOR_SEED: randomUUID() })

type Processes = Awaited<ReturnType<typeof startProcesses>>

async function createWorkspace(
  {
    server,
    ingest,
    database,
    redisUrl,
    key,
    authority,
  }: Pick<Processes, 'server' | 'ingest' | 'database' | 'redisUrl' | 'key' | 'authority'>,
  simulated: TestProcess,
) {
  const logger = createLogger({ name: 'messaging-test', level: 'silent' })
  const metrics = createMetrics('messaging-test')
  const queues = createQueues({ url: redisUrl, service: 'messaging', logger, metrics })
  const outboundHttp = createOutboundHttp({ allowLoopback: true })
  const services = createServices({
    logger,
    metrics,
    mongo: database.connection,
    box: createSecretBox([{ id: 'k1', key }]),
    cursors: createPageCursors('a secret of these tests, long enough'),
    queues,
    outboundHttp: { check: async () => undefined, receive: outboundHttp.receive },
    hooksUrl: ingest.url,
    linksUrl: ingest.url,
    linkTokens: createLinkTokens([{ id: 'k1', key }]),
    hasLimits: true,
    isChoosable: true,
    storageLimitBytes: Number.MAX_SAFE_INTEGER,
  })
  const ingesting = createIngest({
    logger,
    metrics: createMetrics('messaging-ingest-test'),
    mongo: database.connection,
    box: createSecretBox([{ id: 'k1', key }]),
    keys: [{ id: 'k1', key }],
    queues,
  })
  const simulator = {
    url: simulated.url,
    call: simulatorControl(simulated.url),
  }

  /** Signs in a user. Each call has a token of its own: it lives two minutes. */
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
    return { userId, actor: { kind: 'user' as const, id: userId }, workspaceId, token, ...calling(token) }
  }

  /** A program that calls with a key of this workspace. */
  function signInProgram({
    scopes,
    numbers,
    workspaceId = scope.workspaceId,
  }: {
    scopes: readonly Permission[]
    numbers?: readonly string[]
    workspaceId?: string
  }) {
    const id = `key${randomBytes(4).toString('hex')}`
    const claims = { sub: `key:${id}` as const, wid: workspaceId, aud: 'messaging', scopes: [...scopes] }
    const token = () => authority.keyToken(numbers ? { ...claims, numbers: [...numbers] } : claims)
    return { id, token, ...calling(token) }
  }

  /** Signs in another process, about this workspace unless another one is named; `null` names none. */
  function signInProcess(process: string, workspaceId: string | null = scope.workspaceId) {
    return calling(() => authority.serviceToken('messaging', { process, ...(workspaceId !== null && { workspaceId }) }))
  }

  /** An API key of this workspace. */
  const signInKey = (scopes: readonly Permission[], workspaceId = scope.workspaceId) =>
    calling(() =>
      authority.keyToken({ aud: 'messaging', sub: 'key:testkey00001', wid: workspaceId, scopes: [...scopes] }),
    )

  function calling(token: () => Promise<string>) {
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
    /** The body of the answer, which must be no problem. */
    const ask = async (...args: Parameters<typeof request>): Promise<Answer['body']> => {
      const { status, body } = await call(...args)
      if (status >= 300) throw new Error(`${args[0]} ${args[1]} answered ${status}: ${JSON.stringify(body)}`)
      return body
    }
    return { request, call, ask }
  }

  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  // The trial would be too small for some of the campaigns.
  await services.applyPlan(scope, { plan: 'pro', source: 'operator' })
  const simulatedNumber = await simulator.call('/numbers', { name: 'Test Shop' })
  await services.endpoints.addAppSecret(scope, new Secret(simulatedNumber.appSecret), { simulated: true })
  const number = await services.numberConnection.connect(scope, {
    displayName: 'Test Shop',
    phoneNumber: simulatedNumber.displayNumber,
    phoneNumberId: simulatedNumber.phoneNumberId,
    businessAccountId: simulatedNumber.accountId,
    accessToken: new Secret(simulatedNumber.accessToken),
    graphUrl: simulated.url,
    simulated: { phonePageUrl: simulated.url },
  })
  const stop = async () => {
    await simulated.stop()
    await queues.close(0)
    await outboundHttp.close()
    await services.graphs.close()
  }
  /** Filter for a test's queries on stored records: other files have theirs beside them. */
  const inWorkspace = { workspaceId: new Types.ObjectId(scope.workspaceId) }
  return {
    scope,
    inWorkspace,
    services,
    outboundHttp,
    ingesting,
    simulator,
    number,
    simulatedNumber,
    signIn,
    signInProcess,
    signInKey,
    signInProgram,
    stop,
  }
}
