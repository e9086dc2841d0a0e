import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { issuedSession } from '../issued-session.ts'
import { type Bff, startBff } from '../start-bff.ts'
import { startTestIssuer, type TestIssuer } from '../test-issuer.ts'

/** A service that counts how often it is asked. */
async function countingService() {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(req.url ?? '')
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

let issuer: TestIssuer
let service: Awaited<ReturnType<typeof countingService>>
let bff: Bff
let live: { cookie: string; idToken: string; forged: string }
beforeAll(async () => {
  issuer = await startTestIssuer()
  service = await countingService()
  bff = await startBff({
    OIDC_ISSUER: issuer.issuer,
    PROFILE_URL: service.url,
    IDENTITY_URL: service.url,
    TRUST_PROXY_HOPS: '1',
    LIMIT_SIGN_IN_PER_MINUTE_PER_IP: '1',
    LIMIT_SIGN_UP_PER_HOUR_PER_IP: '1',
  })
  const { browser, idToken, idClaims } = await issuedSession(bff, issuer)
  const [header, payload] = (await issuer.sign({ ...idClaims, sub: 'someone-else' })).split('.')
  live = { cookie: browser.cookie(), idToken, forged: `${header}.${payload}.${idToken.split('.')[2]}` }
})
afterAll(async () => {
  await Promise.all([bff.stop(), issuer.stop()])
  service.stop()
})

const secret = 'S3CRET-that-nobody-may-log'
const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const challenge = 'c'.repeat(43)

interface Rejected {
  readonly method?: string
  readonly path: string
  readonly headers?: () => Record<string, string>
  readonly body?: string
  readonly status: number
  readonly operation: string
  readonly code: string
  /** Commands to Redis that it may take; none where absent. */
  readonly redis?: number
}

const rejections: Record<string, Rejected> = {
  'a foreign call': {
    method: 'POST',
    path: '/auth/sign-up',
    headers: () => ({ ...json, 'sec-fetch-site': 'cross-site', 'x-csrf': secret }),
    body: JSON.stringify({ email: 'a@parley.test', password: secret }),
    status: 403,
    operation: 'csrf',
    code: 'csrf_rejected',
  },
  'a call without a session': {
    path: `/api/auth/user?x=${secret}`,
    status: 401,
    operation: 'profile.user',
    code: 'unauthenticated',
  },
  'a cookie that cannot be ours': {
    path: '/api/auth/user',
    headers: () => ({ cookie: `${bff.dependencies.cookie.name}=${secret}` }),
    status: 401,
    operation: 'profile.user',
    code: 'unauthenticated',
  },
  'a forged Bearer': {
    method: 'POST',
    path: '/api/auth/sync',
    headers: () => ({ cookie: live.cookie, authorization: `Bearer ${live.forged}` }),
    status: 401,
    operation: 'profile.sync',
    code: 'token_rejected',
    redis: 1,
  },
  'a malformed sign-up': {
    method: 'POST',
    path: '/auth/sign-up',
    headers: () => json,
    body: JSON.stringify({ email: secret, password: secret }),
    status: 400,
    operation: 'auth.signUp',
    code: 'validation_failed',
  },
  'a body that is no JSON': {
    method: 'POST',
    path: '/auth/sign-up',
    headers: () => json,
    body: `{"password":"${secret}`,
    status: 400,
    operation: 'auth.signUp',
    code: 'malformed_json',
  },
  'a body over its limit': {
    method: 'POST',
    path: '/auth/sign-up',
    headers: () => json,
    body: JSON.stringify({ password: secret.repeat(1000) }),
    status: 413,
    operation: 'auth.signUp',
    code: 'body_too_large',
  },
  'an unknown grant': {
    method: 'POST',
    path: '/auth/token',
    headers: () => form,
    body: `grant_type=client_credentials&client_secret=${secret}`,
    status: 400,
    operation: 'auth.token',
    code: 'unsupported_grant_type',
  },
  'a malformed code': {
    method: 'POST',
    path: '/auth/token',
    headers: () => ({ ...form, cookie: live.cookie }),
    body: `grant_type=authorization_code&client_id=spa&code=${secret}`,
    status: 400,
    operation: 'auth.token',
    code: 'invalid_grant',
  },
  'a malformed password sign-in': {
    method: 'POST',
    path: '/auth/token',
    headers: () => form,
    body: `grant_type=password&client_id=spa&username=x&password=${secret}`,
    status: 400,
    operation: 'auth.token',
    code: 'invalid_grant',
  },
  'a foreign redirect URI': {
    path: `/auth/authorize?response_type=code&client_id=spa&state=${secret}&code_challenge=${challenge}&code_challenge_method=S256&redirect_uri=https://evil.example`,
    status: 400,
    operation: 'auth.authorize',
    code: 'invalid_redirect',
  },
  'a callback without its cookie': {
    path: `/auth/callback?state=${secret}&code=${secret}`,
    status: 303,
    operation: 'auth.callback',
    code: 'bad_request',
  },
  'a broken logout token': {
    method: 'POST',
    path: '/auth/backchannel-logout',
    headers: () => form,
    body: `logout_token=${secret}`,
    status: 400,
    operation: 'auth.backchannelLogout',
    code: 'invalid_logout_token',
  },
  'a wrong method': {
    method: 'PUT',
    path: '/auth/session',
    status: 405,
    operation: 'auth.session',
    code: 'method_not_allowed',
  },
  'an unknown call': { path: `/api/${secret}`, status: 404, operation: 'api.unknown', code: 'not_found' },
}

const lineSchema = z.looseObject({ requestId: z.string(), operation: z.string(), status: z.number() })
const linesOf = (requestId: string) =>
  bff.log.filter((line) => line.includes(requestId)).map((line) => lineSchema.parse(JSON.parse(line)))

/** Returns what a request costs beyond itself: commands to Redis, calls to services by their path, calls to the provider. */
async function costOf(run: () => Promise<Response>) {
  const commands = vi.spyOn(bff.dependencies.redis, 'sendCommand')
  const [services, provider] = [service.asked.length, issuer.calls.length]
  const response = await run()
  const cost = {
    // Calls by which the process begins to follow changes are not counted; they may take a while.
    redis: commands.mock.calls.filter(([{ name }]) => name !== 'client').length,
    services: service.asked.slice(services),
    provider: issuer.calls.length - provider,
  }
  commands.mockRestore()
  return { response, cost }
}

const send = ({ method = 'GET', path, headers, body }: Pick<Rejected, 'method' | 'path' | 'headers' | 'body'>) =>
  fetch(`${bff.url}${path}`, {
    method,
    headers: { ...sameOriginHeaders, ...headers?.() },
    body: body ?? null,
    redirect: 'manual',
  })

describe('is logged once by its id and reason, never by what was sent, and asks nobody:', () => {
  test.each(Object.entries(rejections))('%s', async (_what, rejected) => {
    const { response, cost } = await costOf(() => send(rejected))
    expect(response.status).toBe(rejected.status)
    expect(cost).toEqual({ redis: rejected.redis ?? 0, services: [], provider: 0 })
    const requestId = response.headers.get('x-request-id') ?? ''
    expect(requestId).toMatch(/^[\w-]{36}$/)
    await vi.waitFor(() =>
      expect(linesOf(requestId)).toMatchObject([
        {
          level: 'info',
          msg: 'request refused',
          operation: rejected.operation,
          status: rejected.status,
          code: rejected.code,
        },
      ]),
    )
    const text = bff.log.join('')
    for (const hidden of [secret, live.idToken, live.forged, live.cookie.split('=')[1] ?? ''])
      expect(text).not.toContain(hidden)
    expect(await response.text()).not.toContain(secret)
  })
})

test('who is over a limit costs a command or two, and no service or provider hears of it', async () => {
  const headers = () => ({ 'x-forwarded-for': `198.19.${Date.now() % 250}.${Math.floor(Math.random() * 250)}` })
  const address = headers()
  const attempts: Rejected[] = [
    {
      method: 'POST',
      path: '/auth/token',
      headers: () => ({ ...form, ...address }),
      body: `grant_type=password&client_id=spa&username=limited@parley.test&password=${secret}`,
      status: 429,
      operation: 'auth.token',
      code: 'rate_limited',
    },
    {
      method: 'POST',
      path: '/auth/sign-up',
      headers: () => ({ ...json, ...address }),
      body: JSON.stringify({ email: 'limited@parley.test', password: secret }),
      status: 429,
      operation: 'auth.signUp',
      code: 'rate_limited',
    },
  ]
  for (const attempt of attempts) {
    const first = await costOf(() => send(attempt))
    expect(first.cost.services.length + first.cost.provider).toBeGreaterThan(0)
    // A sign-in that failed is told to the log behind its answer.
    if (attempt.operation === 'auth.token')
      await vi.waitFor(() => expect(service.asked).toContain('/internal/audit/sign-ins'))
    const { response, cost } = await costOf(() => send(attempt))
    expect(response.status).toBe(429)
    expect(cost).toMatchObject({ services: [], provider: 0 })
    expect(cost.redis).toBeLessThan(first.cost.redis + 1)
    const requestId = response.headers.get('x-request-id') ?? ''
    await vi.waitFor(() => expect(linesOf(requestId)).toMatchObject([{ code: 'rate_limited', status: 429 }]))
  }
  expect(bff.log.join('')).not.toContain(secret)
})
