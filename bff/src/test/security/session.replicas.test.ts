import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { browserOf, issuedSession } from '../issued-session.ts'
import { startRedisGate } from '../redis-gate.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'
import { startTestIssuer, type TestIssuer } from '../test-issuer.ts'

/** Longer than the tests wait: the changes that they see come from a report, not from expiry. */
const cacheMs = '5000'
let issuer: TestIssuer
let here: Bff
let there: Bff
beforeAll(async () => {
  issuer = await startTestIssuer()
  here = await startReplica()
  there = await startReplica()
})
afterAll(() => Promise.all([here.stop(), there.stop(), issuer.stop()]))

const startReplica = (more: Record<string, string> = {}) =>
  startBff({ OIDC_ISSUER: issuer.issuer, SESSION_CACHE_MS: cacheMs, ...more })

const call = async (on: Bff, secret: string) => (await browserOf(on, secret).send('GET', '/api/auth/user')).status

/** Returns whether a call was answered without a read from Redis. */
async function answersFromMemory(on: Bff, secret: string): Promise<boolean> {
  const { redis } = on.dependencies
  const looks = [vi.spyOn(redis, 'get'), vi.spyOn(redis, 'pipeline')]
  expect(await call(on, secret)).toBe(200)
  const looked = looks.some((look) => look.mock.calls.length > 0)
  for (const look of looks) look.mockRestore()
  return !looked
}

/** A session that began at one instance and is in use at another, so that this keeps it in memory. */
async function keptBy(on: Bff, from: Bff = here) {
  const issued = await issuedSession(from, issuer)
  const { secret } = issued.session
  await vi.waitFor(async () => expect(await answersFromMemory(on, secret)).toBe(true))
  return { ...issued, secret, from }
}
type Kept = Awaited<ReturnType<typeof keptBy>>

/** Signs in another browser of the same account. */
const sibling = async ({ idClaims, from }: Kept) =>
  (await issuedSession(from, issuer, { sub: idClaims['sub'], email: idClaims['email'] })).browser

const publicIdOf = async ({ browser }: Kept) => {
  const { sessions } = (await (await browser.send('GET', '/auth/sessions')).json()) as {
    sessions: { id: string; current: boolean }[]
  }
  return sessions.find(({ current }) => current)?.id
}

const endings: [string, (kept: Kept) => Promise<Response>][] = [
  ['a sign-out', ({ browser }) => browser.send('POST', '/auth/sign-out')],
  [
    'its end from another browser',
    async (kept) => (await sibling(kept)).send('DELETE', `/auth/sessions/${await publicIdOf(kept)}`),
  ],
  ['the end of all others', async (kept) => (await sibling(kept)).send('DELETE', '/auth/sessions?others=1')],
  [
    'a logout at the provider',
    async ({ idClaims, from }) =>
      fetch(`${from.url}/auth/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: await issuer.logoutToken({ sid: idClaims['sid'] }) }),
      }),
  ],
]

describe('a session kept in memory ends', () => {
  test.each(endings)('on every instance with %s on one of them', async (_what, end) => {
    const kept = await keptBy(there)
    expect((await end(kept)).ok).toBe(true)
    await vi.waitFor(async () => expect(await call(there, kept.secret)).toBe(401))
  })

  test.each(endings)('at once where it is ended, with %s, even if Redis never tells', async (_what, end) => {
    const alone = await forThisTest(startReplica())
    const kept = await keptBy(alone, alone)
    await alone.dependencies.redis.call('CLIENT', 'TRACKING', 'OFF')
    expect((await end(kept)).ok).toBe(true)
    expect(await call(alone, kept.secret)).toBe(401)
  })

  test('with an operator’s deletion', async () => {
    const { secret, session } = await keptBy(there)
    await here.dependencies.redis.del(`s:{${session.key}}:hot`)
    await vi.waitFor(async () => expect(await call(there, secret)).toBe(401))
  })

  test('at its absolute end', async () => {
    const short = await forThisTest(startReplica({ SESSION_UNVERIFIED_SECONDS: '12' }))
    const { session } = await issuedSession(short, issuer, { email_verified: false, identity_provider: undefined })
    expect(await call(there, session.secret)).toBe(200)
    await vi.waitFor(async () => expect(await call(there, session.secret)).toBe(401))
  })

  test('with its idle time', async () => {
    const { secret, session } = await keptBy(there)
    await here.dependencies.redis.pexpire(`s:{${session.key}}:hot`, 10_000)
    expect(await call(there, secret)).toBe(200)
    expect(await call(there, secret)).toBe(200)
    await vi.waitFor(async () => expect(await call(there, secret)).toBe(401))
  })
})

test('new tokens of a session count on every instance', async () => {
  const { secret, session } = await keptBy(there)
  const hot = { ...session.hot, context: undefined, idTokenHash: 'renewed' }
  await here.dependencies.store.load(secret).then((live) => live && here.dependencies.store.replace(live, hot))
  await vi.waitFor(async () =>
    expect((await there.dependencies.store.loadInUse(secret))?.hot.idTokenHash).toBe('renewed'),
  )
})

test('use is noted also where it is answered from memory', async () => {
  const { redis } = here.dependencies
  const issued = await issuedSession(here, issuer)
  const { secret, key } = issued.session
  await redis.pexpire(`s:{${key}}:hot`, 60_000)
  await vi.waitFor(async () => expect(await answersFromMemory(there, secret)).toBe(true))
  expect(await redis.pttl(`s:{${key}}:hot`)).toBeGreaterThan(60_000)
})

test('without the reports of Redis an instance asks it each time, and keeps sessions again once they are back', async () => {
  const gate = await forThisTest(startRedisGate())
  const on = await forThisTest(startReplica({ REDIS_URL: gate.url }))
  const kept = await keptBy(on)
  gate.setClosed(true)
  const listener = await on.dependencies.redis.call('CLIENT', 'GETREDIR')
  await here.dependencies.redis.call('CLIENT', 'KILL', 'ID', String(listener))
  await vi.waitFor(async () => expect(await answersFromMemory(on, kept.secret)).toBe(false))

  for (let use = 0; use < 3; use++) expect(await answersFromMemory(on, kept.secret)).toBe(false)
  await here.dependencies.redis.del(`s:{${kept.session.key}}:hot`)
  expect(await call(on, kept.secret)).toBe(401)

  gate.setClosed(false)
  await keptBy(on)
})

test('while Redis is away a session in memory is no session: 503, and it is there again afterwards', async () => {
  const gate = await forThisTest(startRedisGate())
  const on = await forThisTest(startReplica({ REDIS_URL: gate.url }))
  const { secret } = await keptBy(on)
  gate.setAway(true)
  await vi.waitFor(async () => expect(await call(on, secret)).toBe(503))
  expect(await call(on, secret)).toBe(503)
  gate.setAway(false)
  await vi.waitFor(async () => expect(await call(on, secret)).toBe(200), { interval: 100 })
})

test('where it is switched off every call asks Redis', async () => {
  const plain = await forThisTest(startReplica({ SESSION_CACHE_MS: '0' }))
  const { secret } = await keptBy(there)
  for (let use = 0; use < 4; use++) expect(await answersFromMemory(plain, secret)).toBe(false)
})
