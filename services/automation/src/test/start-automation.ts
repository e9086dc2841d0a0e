import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Permission, Role } from '@parley/contracts/account/permissions'
import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { redisRules } from '@parley/processes/processes'
import type { OwnWords } from '@parley/rules/consent-commands'
import { freePort } from '@parley/service-kit/testing/free-port'
import { makeSigningKey, startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Redis } from 'ioredis'
import { decodeJwt } from 'jose'
import { Types } from 'mongoose'
import { inject } from 'vitest'

const entry = (name: string) => `${import.meta.dirname}/../${name}.ts`

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
  readonly body: any
}

/** Processes shared by all files of this worker of the test run; they end with it. */
let shared: ReturnType<typeof startAutomation> | undefined

/** The server, shared with other files, each of which has workspaces of its own. Messaging and profile are {@link startOthers}. */
export function joinAutomation() {
  shared ??= startAutomation()
  // The next file tries again.
  shared.catch(() => (shared = undefined))
  return shared
}

/**
 * The service on a database of its own.
 * @param options.worker starts the worker too.
 * @param options.urls messaging and profile; stand-ins of this file where absent.
 */
export async function startAutomation({
  worker: withWorker = false,
  workerEnvironment = {},
  urls,
  kept = 'worker',
}: {
  worker?: boolean
  workerEnvironment?: Readonly<Record<string, string>>
  urls?: { messaging: string; profile: string }
  kept?: 'file' | 'worker'
} = {}) {
  const stack = inject('stack')
  const [database, authority, redisUrl, others] = await Promise.all([
    openTestDatabase(stack.urls.mongodb),
    startInternalAuthority('messaging-worker'),
    emptyTestRedis(stack.urls.redis, kept),
    urls ? undefined : startOthers(),
  ])
  const user = await createRedisUser(redisUrl)
  const environment = {
    MONGODB_URL: database.url,
    REDIS_URL: user.url,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    MESSAGING_URL: urls?.messaging ?? others?.url ?? '',
    PROFILE_URL: urls?.profile ?? others?.url ?? '',
    CONNECTION_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'warn',
  }
  const keys = () => ({ INTERNAL_TOKEN_KEYS: JSON.stringify([makeSigningKey(`k${randomUUID()}`)]) })
  const [server, worker] = await Promise.all([
    startProcess(entry('server'), { ...environment, ...keys(), INTERNAL_ISSUERS: authority.issuers }, '/readyz'),
    withWorker
      ? startProcess(entry('worker'), { ...environment, ...keys(), ...workerEnvironment }, '/readyz')
      : undefined,
  ])

  /** Signs in a user. Each call has a token of its own: it lives two minutes. */
  function signIn({
    role = 'owner',
    workspaceId = new Types.ObjectId().toHexString(),
  }: {
    role?: Role
    workspaceId?: string
  } = {}) {
    const userId = new Types.ObjectId().toHexString()
    const email = `${userId}@example.com`
    const token = () =>
      authority.userToken({
        sub: userId,
        wid: workspaceId,
        role,
        aud: 'automation',
        email,
        email_verified: true,
        provider: 'password',
      })
    return { userId, workspaceId, token, ...calling(token) }
  }

  /** A program that calls with an API key. */
  function signInProgram(workspaceId: string, scopes: readonly Permission[], numbers?: readonly string[]) {
    const claims = { sub: 'key:testkey00001' as const, wid: workspaceId, aud: 'automation', scopes: [...scopes] }
    return calling(() => authority.keyToken(numbers ? { ...claims, numbers: [...numbers] } : claims))
  }

  function calling(token: () => Promise<string>) {
    async function call(method: string, path: string, json?: unknown): Promise<Answer> {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await token()}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
    }
    /** The body of the answer, which must be no problem. */
    async function ask(method: string, path: string, json?: unknown): Promise<Answer['body']> {
      const { status, body } = await call(method, path, json)
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
      return body
    }
    return { call, ask }
  }

  const stop = async () => {
    await Promise.all([server.stop(), worker?.stop()])
    await Promise.all([database.drop(), authority.close(), user.remove(), others?.close()])
  }
  return {
    server,
    worker,
    database,
    redisUrl,
    authority,
    get others() {
      if (!others) throw new Error('this file has the real services')
      return others
    },
    signIn,
    signInProgram,
    stop,
  }
}

/** State of the stand-in for messaging and profile, for tests that need their answers only. */
interface Workspace {
  numbers: { id: string; name: string; businessAccountId: string }[]
  fields: { id: string; name: string; type: 'text' }[]
  templates: { id: string; name: string; status: string; placeholders: string[] }[]
  members: { id: string; name: string; role: Role; active: boolean }[]
  consentWords: OwnWords
  sampleData: { state: string; toldAt?: string }
  /** Messaging's log of events, and the number up to which it was read. */
  events: RecordedEvent[]
  readUpTo: number
  /** Conversations that no bot wanted. */
  passed: string[]
  /** Calls with actions of bots, in their order. */
  acts: { conversationId: string; actions: InternalAction[] }[]
  /** States of bots that messaging was told, the newest last. */
  told: ToldState[]
  /** Bots that could not go on, each call. */
  failures: BotFailure[]
  /** Conversations that agents see; absent: all. */
  visible?: readonly string[]
}
type BotFailure = EndpointInput<typeof messagingInternalApi.botFailures>['body']

interface ToldState {
  readonly active: boolean
  readonly numberIds?: readonly string[]
  readonly routingVersion: number
}

async function startOthers() {
  const workspaces = new Map<string, Workspace>()
  let isAway = false
  const of = (workspaceId: string): Workspace => {
    const known = workspaces.get(workspaceId) ?? {
      numbers: [],
      fields: [],
      templates: [],
      members: [],
      consentWords: defaultConsentSettings,
      sampleData: { state: 'none' },
      events: [],
      readUpTo: 0,
      passed: [],
      acts: [],
      told: [],
      failures: [],
    }
    workspaces.set(workspaceId, known)
    return known
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    const { wid } = decodeJwt(request.headers.authorization?.replace('Bearer ', '') ?? '')
    const workspace = of(String(wid))
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const answer = (status: number, json?: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(json === undefined ? '' : JSON.stringify(json))
    if (isAway) return answer(503, { code: 'service_unavailable', message: 'Away.', requestId: 'r' })
    const { numbers, fields, templates, members, events, consentWords, sampleData } = workspace
    switch (`${request.method} ${pathname}`) {
      case 'POST /internal/lookups':
        return answer(200, {
          numbers,
          fields,
          templates: templates.filter(({ id }) => body.templateIds.includes(id)),
          consentWords,
          openingHours: { timeZone: 'UTC', spans: [], closedOn: [] },
          sampleData,
        })
      case 'PUT /internal/automation-state':
        workspace.told.push(body)
        return answer(204)
      case 'GET /internal/events':
        return answer(200, {
          items: searchParams.has('after') ? events.slice(Number(searchParams.get('after'))) : [],
          upTo: events.length,
          head: events.length,
        })
      case 'GET /internal/events/history':
        return answer(200, { after: 0, head: events.length })
      case 'POST /internal/events/read':
        workspace.readUpTo = Math.max(workspace.readUpTo, body.upTo)
        workspace.passed.push(...body.passed)
        return answer(204)
      case 'GET /internal/events/due':
        return answer(200, {
          workspaceIds: [...workspaces].flatMap(([id, { readUpTo, events: all }]) => (readUpTo < all.length ? id : [])),
        })
      case 'POST /internal/actions': {
        workspace.acts.push(body)
        const about = events.findLast(({ conversationId }) => conversationId === body.conversationId)
        if (!about) return answer(404, { code: 'not_found', message: 'Gone.', requestId: 'r' })
        return answer(200, {
          results: body.actions.map(({ key }: InternalAction) => ({ key, outcome: 'done' })),
          facts: { epoch: 1, heldByPerson: false, snapshot: about.snapshot, now: new Date().toISOString() },
        })
      }
      case 'POST /internal/contacts':
        if (body.of.phone !== undefined) return answer(200, { ids: [], items: [] })
        return body.of.segmentId === 'all'
          ? answer(200, { ids: [], items: [], total: 0 })
          : answer(404, { code: 'not_found', message: 'There is no such segment.', requestId: 'r' })
      case 'POST /internal/visible-conversations': {
        const { visible } = workspace
        const seen = body.conversationIds.filter((id: string) => !visible || visible.includes(id))
        return answer(200, { all: visible === undefined, visible: seen })
      }
      case 'POST /internal/bot-failures':
        workspace.failures.push(body)
        return answer(204)
      case 'GET /internal/members':
        return answer(200, { items: members.filter(({ id }) => searchParams.getAll('ids').includes(id)) })
      default:
        return answer(404, { code: 'not_found', message: 'No such call.', requestId: 'r' })
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the state of a workspace, which a test may change. */
    of,
    /** Has every call fail, until it is told otherwise. */
    away: (value: boolean) => {
      isAway = value
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Creates the user as whom the processes run: access to other keys than their own fails in every test. */
async function createRedisUser(redisUrl: string) {
  const operator = new Redis(redisUrl)
  const name = `automation-${randomUUID()}`
  const password = randomUUID()
  await operator.call('ACL', 'SETUSER', name, 'on', `>${password}`, ...redisRules('automation'))
  const remove = async () => {
    await operator.call('ACL', 'DELUSER', name)
    operator.disconnect()
  }
  return { url: Object.assign(new URL(redisUrl), { username: name, password }).href, remove }
}
