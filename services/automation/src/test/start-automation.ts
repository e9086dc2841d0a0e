import { randomBytes, randomUUID } from 'node:crypto'
import type { Permission, Role } from '@parley/contracts/account/permissions'
import { makeSigningKey, startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { createRedisUser } from '@parley/service-kit/testing/redis-user'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Types } from 'mongoose'
import { inject } from 'vitest'
import { startOthers } from './start-others.ts'

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
  const user = await createRedisUser(redisUrl, 'automation')
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
