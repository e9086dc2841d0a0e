import { randomBytes } from 'node:crypto'
import type { Permission, Role } from '@parley/contracts/account/permissions'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createOutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createSecretBox, Secret } from '@parley/service-kit/core/secret-box'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { createQueues } from '@parley/service-kit/queue/queues'
import type { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import type { TestProcess } from '@parley/service-kit/testing/start-process'
import type { TestDatabase } from '@parley/service-kit/testing/test-database'
import { Types } from 'mongoose'
import { createIngest } from '../ingest-services.ts'
import { createLinkTokens } from '../modules/outbound/link-tokens.ts'
import { createServices } from '../services.ts'
import { simulatorControl } from './simulator-control.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
  readonly body: any
}

interface Processes {
  readonly server: TestProcess
  readonly ingest: TestProcess
  readonly database: TestDatabase
  readonly redisUrl: string
  readonly key: Buffer
  readonly authority: Awaited<ReturnType<typeof startInternalAuthority>>
}

/** Creates a workspace with a number of a simulator, people who call the server, and the services to look at what all of them do. */
export async function createWorkspace(
  { server, ingest, database, redisUrl, key, authority }: Processes,
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
