import { type User, userSchema } from '@parley/contracts/account/profile'
import {
  type SessionContext,
  type SessionContextRequest,
  sessionContextSchema,
} from '@parley/contracts/account/profile-internal'
import {
  type InternalAuthority,
  makeSigningKey,
  startInternalAuthority,
} from '@parley/service-kit/testing/internal-authority'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { inject } from 'vitest'

export const serverFile = `${import.meta.dirname}/../server.ts`

interface Call {
  readonly token?: string
  readonly headers?: Record<string, string>
  /** Sent as it is. */
  readonly text?: string
  /** Sent as JSON. */
  readonly json?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A person who has signed in, and their calls. */
export interface Person {
  readonly context: SessionContext
  /** A new one each time: it lives two minutes. */
  readonly token: () => Promise<string>
  readonly get: () => Promise<User>
  readonly sync: () => Promise<User>
  /** Answers with whatever comes back. */
  readonly patch: (json: unknown) => Promise<Answer>
  /** The same person with other claims in the token. */
  readonly withClaims: (claims: Partial<SessionContextRequest>) => Person
}

export interface ProfileUnderTest {
  readonly url: string
  readonly database: TestDatabase
  readonly authority: InternalAuthority
  readonly output: () => string
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  readonly openContext: (signIn: SessionContextRequest) => Promise<SessionContext>
  readonly signIn: (signIn?: Partial<SessionContextRequest>) => Promise<Person>
  readonly stop: () => Promise<void>
}

/** Settings by which a process of profile calls messaging, which is not there unless a test names one. */
export const callingMessaging = {
  MESSAGING_URL: 'http://127.0.0.1:9',
  INTERNAL_TOKEN_KEYS: JSON.stringify([makeSigningKey('profile-key')]),
}

let people = 0
/** Returns a sign-in of a person whom no test has seen. */
export function newSignIn(signIn: Partial<SessionContextRequest> = {}): SessionContextRequest {
  people += 1
  return {
    iss: 'http://127.0.0.1:9/realms/parley',
    sub: `person-${people}`,
    email: `person${people}@example.com`,
    emailVerified: true,
    provider: 'password',
    ...signIn,
  }
}

/** The profile service as its own process, on a database of its own, trusting keys of its own. */
export async function startProfile(env: Record<string, string> = {}): Promise<ProfileUnderTest> {
  const { urls } = inject('stack')
  const [authority, database] = await Promise.all([
    startInternalAuthority('messaging', 'messaging-worker', 'automation'),
    openTestDatabase(urls.mongodb),
  ])
  const stores = {
    MONGODB_URL: database.url,
    REDIS_URL: urls.redis,
    INTERNAL_ISSUERS: authority.issuers,
    ...callingMessaging,
  }
  const server = await startProcess(serverFile, { ...stores, ...env }, '/readyz')

  async function call(method: string, path: string, { token, headers, text, json }: Call = {}): Promise<Answer> {
    const body = json === undefined ? text : JSON.stringify(json)
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  async function openContext(signIn: SessionContextRequest): Promise<SessionContext> {
    const token = await authority.serviceToken('profile')
    return sessionContextSchema.parse(ok(await call('POST', '/internal/session-context', { token, json: signIn })))
  }

  function personOf(signIn: SessionContextRequest, context: SessionContext): Person {
    const { email, emailVerified, name, picture, provider, claimsIat } = signIn
    const token = () =>
      authority.userToken({
        sub: context.userId,
        wid: context.workspaceId,
        role: context.role,
        ver: context.version,
        aud: 'profile',
        email,
        email_verified: emailVerified,
        provider,
        ...(claimsIat !== undefined && { claims_iat: claimsIat }),
        ...(name !== undefined && { name }),
        ...(picture !== undefined && { picture }),
      })
    const asJson = { 'content-type': 'application/json' }
    return {
      context,
      token,
      get: async () => userSchema.strict().parse(ok(await call('GET', '/api/auth/user', { token: await token() }))),
      sync: async () =>
        userSchema
          .strict()
          .parse(ok(await call('POST', '/api/auth/sync', { token: await token(), headers: asJson, text: '' }))),
      patch: async (json) => call('PATCH', '/api/auth/profile', { token: await token(), json }),
      withClaims: (claims) => personOf({ ...signIn, ...claims }, context),
    }
  }

  return {
    url: server.url,
    database,
    authority,
    output: server.output,
    call,
    openContext,
    signIn: async (partial) => {
      const signIn = newSignIn(partial)
      return personOf(signIn, await openContext(signIn))
    },
    stop: async () => {
      await server.stop()
      await Promise.all([database.drop(), authority.close()])
    },
  }
}

/** The JSON of a 200. @throws with status and body of anything else. */
export function ok({ status, text }: Answer): unknown {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return JSON.parse(text)
}

export const complete = {
  firstName: 'Ann',
  lastName: 'Lee',
  mobile: '+91 98765 43210',
  address: '1 Main Street',
  timezone: 'Asia/Kolkata',
  profileImageUrl: '',
}
