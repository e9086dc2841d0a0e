import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createRateLimits } from '../rate-limits.ts'
import { countingIdentity } from './counting-identity.ts'
import { newAddress } from './mailbox.ts'
import { changeAccount } from './provider-admin.ts'
import { startProviderGate } from './provider-gate.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff({
    TRUST_PROXY_HOPS: '1',
    LIMIT_SIGN_IN_PER_MINUTE_PER_IP: '1000',
    LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: '3',
    LIMIT_SIGN_IN_FAILURES_PER_EMAIL: '6',
    LIMIT_SIGN_UP_PER_HOUR_PER_IP: '2',
  })
})
afterAll(() => bff.stop())

const from = (ip: string) => {
  const browser = bff.browser()
  const form = (email: string, password: string) =>
    new URLSearchParams({ grant_type: 'password', client_id: 'spa', username: email, password })
  return {
    signIn: (email: string, password: string) =>
      browser.send('POST', '/auth/token', { body: form(email, password), headers: { 'x-forwarded-for': ip } }),
    signUp: (email: string) =>
      browser.send('POST', '/auth/sign-up', {
        body: JSON.stringify({ email, password: 'correct horse' }),
        headers: { 'x-forwarded-for': ip, 'content-type': 'application/json' },
      }),
  }
}
let octet = Date.now() % 250
const newIp = () => `198.51.${Math.floor(Math.random() * 250)}.${octet++ % 250}`

test('a success takes the failures back', async () => {
  const email = newAddress()
  await from(newIp()).signUp(email)
  const owner = from(newIp())
  for (let round = 0; round < 3; round++) {
    expect((await owner.signIn(email, 'typo')).status).toBe(400)
    expect((await owner.signIn(email, 'correct horse')).status).toBe(200)
  }
})

test('guesses at one account are limited together, from however many addresses they come', async () => {
  const email = newAddress()
  await from(newIp()).signUp(email)
  for (let guess = 0; guess < 6; guess++) expect((await from(newIp()).signIn(email, 'guess')).status).toBe(400)
  const refused = await from(newIp()).signIn(email, 'correct horse')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
})

test('refused sign-ins leave lines that tell one account and one network from another, and no address', async () => {
  const [email, other] = [newAddress(), newAddress()]
  const ip = newIp()
  const attacker = from(ip)
  for (let guess = 0; guess < 4; guess++) await attacker.signIn(email, 'guess-of-the-test')
  await from('2001:db8:1:2:3::4').signIn(other, 'guess-of-the-test')
  const lines = bff.log.map((line) => JSON.parse(line)).filter(({ account }) => account !== undefined)
  const [first, , , fourth, fifth] = lines.slice(-5)
  expect(first).toMatchObject({ code: 'invalid_grant', account: expect.stringMatching(/^[\w-]{22}$/) })
  expect(fourth).toMatchObject({ code: 'rate_limited', network: first.network, account: first.account })
  expect(fifth.account).not.toBe(first.account)
  expect(fifth.network).not.toBe(first.network)
  expect(bff.log.join('\n')).not.toMatch(new RegExp(`${email}|${other}|guess-of-the-test|${ip}|2001:db8`))
})

test('a right password that is not enough counts as no failure, and a wrong one tells nothing of it', async () => {
  const email = newAddress()
  await from(newIp()).signUp(email)
  await changeAccount(email, { requiredActions: ['UPDATE_PASSWORD'] })
  const owner = from(newIp())
  for (let attempt = 0; attempt < 4; attempt++) {
    const answer = await owner.signIn(email, 'correct horse')
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'interaction_required' }])
  }
  expect(await (await owner.signIn(email, 'typo')).json()).toMatchObject({ error: 'invalid_grant' })
})

test('the provider is told the address of the visitor, not ours', async () => {
  const gate = await forThisTest(startProviderGate())
  const on = await forThisTest(startBff({ OIDC_INTERNAL_ISSUER: gate.url, TRUST_PROXY_HOPS: '1' }))
  const ip = newIp()
  await on.browser().send('POST', '/auth/token', {
    body: new URLSearchParams({ grant_type: 'password', client_id: 'spa', username: newAddress(), password: 'guess' }),
    headers: { 'x-forwarded-for': `6.6.6.6, ${ip}` },
  })
  expect(gate.visitors).toEqual([ip])
})

test('sign-ups from one address are limited', async () => {
  const visitor = from(newIp())
  expect((await visitor.signUp(newAddress())).status).toBe(201)
  expect((await visitor.signUp(newAddress())).status).toBe(201)
  const third = await visitor.signUp(newAddress())
  expect(third.status).toBe(429)
  expect(await third.json()).toMatchObject({ code: 'rate_limited' })
})

test('sign-ups from one IPv6 network are limited together, also with another address for each', async () => {
  const network = `2001:db8:${octet++ % 250}:${Math.floor(Math.random() * 65_536).toString(16)}`
  for (const host of ['::1', '::2']) expect((await from(network + host).signUp(newAddress())).status).toBe(201)
  expect((await from(`${network}:ffff:1:2:3`).signUp(newAddress())).status).toBe(429)
})

test('without a trusted proxy a forged address counts for nothing', async () => {
  // The limits get a database of their own: sign-ups of every other file come from this address too.
  const url = new URL(inject('stack').env.bff['REDIS_URL'] ?? '')
  url.pathname = '/1'
  const direct = await startBff({ REDIS_URL: url.href, LIMIT_SIGN_UP_PER_HOUR_PER_IP: '1', TRUST_PROXY_HOPS: '0' })
  try {
    await direct.dependencies.redis.del('rl:up-ip:127.0.0.1')
    const send = (ip: string) =>
      direct.browser().send('POST', '/auth/sign-up', {
        body: JSON.stringify({ email: newAddress(), password: 'correct horse' }),
        headers: { 'x-forwarded-for': ip, 'content-type': 'application/json' },
      })
    expect((await send('203.0.113.1')).status).toBe(201)
    expect((await send('203.0.113.2')).status).toBe(429)
  } finally {
    await direct.dependencies.redis.del('rl:up-ip:127.0.0.1')
    await direct.stop()
  }
})

test('Redis gone between a sign-in and its end is said as that, not as a fault of ours', async () => {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const redis = createRedis(inject('stack').urls.redis, { name: 'test', logger })
  await vi.waitFor(() => expect(redis.status).toBe('ready'))
  const limits = createRateLimits(redis, bff.config)
  const attempt = await limits.signIn(newIp(), newAddress())
  redis.disconnect()
  for (const end of [attempt.succeeded, attempt.undecided]) {
    await expect(end()).rejects.toMatchObject({ code: 'session_store_unavailable' })
  }
})

test('a fault of the provider takes back its own attempt, and none of the failures before it', async () => {
  const gate = await forThisTest(startProviderGate())
  const on = await forThisTest(
    startBff({ OIDC_INTERNAL_ISSUER: gate.url, LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: '3' }),
  )
  const guess = async (email: string) => (await on.browser().signIn(email, 'guess')).status
  const email = newAddress()
  expect([await guess(email), await guess(email)]).toEqual([400, 400])
  gate.set({ status: 500, body: {} })
  for (let fault = 0; fault < 4; fault++) expect(await guess(email)).toBe(503)
  gate.set('pass')
  expect([await guess(email), await guess(email)]).toEqual([400, 429])
})

describe('password resets', () => {
  async function start(settings: Record<string, string>) {
    const identity = await forThisTest(countingIdentity())
    // A database of its own, where no other caller counts towards the total.
    const redis = new URL(inject('stack').env.bff['REDIS_URL'] ?? '')
    redis.pathname = '/2'
    const on = await forThisTest(
      startBff({ IDENTITY_URL: identity.url, REDIS_URL: redis.href, TRUST_PROXY_HOPS: '1', ...settings }),
    )
    await on.dependencies.redis.flushdb()
    const reset = async (ip: string, email = newAddress()) => {
      const headers = { 'x-forwarded-for': ip, 'content-type': 'application/json' }
      const answer = await on
        .browser()
        .send('POST', '/auth/password-reset', { body: JSON.stringify({ email }), headers })
      return [answer.status, await answer.text()]
    }
    return { on, identity, reset }
  }

  test('are limited for a network, and the answer is the same', async () => {
    const { identity, reset } = await start({ LIMIT_RESET_PER_HOUR_PER_IP: '2' })
    const [mine, other] = [newIp(), newIp()]
    for (let time = 0; time < 5; time++) expect(await reset(mine)).toEqual([202, ''])
    expect(await reset(other)).toEqual([202, ''])
    await vi.waitFor(() => expect(identity.mailed.length).toBe(3))
    await reset(other)
    await vi.waitFor(() => expect(identity.mailed.length).toBe(4))
  })

  test('are limited for everybody together', async () => {
    const { identity, reset, on } = await start({ LIMIT_RESET_PER_HOUR: '3' })
    for (let time = 0; time < 6; time++) expect(await reset(newIp())).toEqual([202, ''])
    await vi.waitFor(async () => expect(Number(await on.dependencies.redis.get('rl:reset-all:all'))).toBe(6))
    await vi.waitFor(() => expect(identity.mailed.length).toBe(3))
  })

  test('are worked off a bounded number at once; what is beyond is left out, said in the log alone', async () => {
    const { identity, reset, on } = await start({ LIMIT_RESET_PER_HOUR_PER_IP: '1000' })
    const release = identity.hold()
    const answers = await Promise.all(Array.from({ length: 80 }, () => reset(newIp())))
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([202]))
    const leftOut = () => on.log.filter((line) => line.includes('too many are under way')).length
    await vi.waitFor(() => expect(identity.mailed.length + leftOut()).toBe(80))
    expect(identity.most()).toBeLessThanOrEqual(50)
    release()
    const before = identity.mailed.length
    await vi.waitFor(async () => {
      await reset(newIp())
      expect(identity.mailed.length).toBeGreaterThan(before)
    })
  })
})

test("sign-ins begun at the provider's pages are limited for a network; what is beyond stores nothing", async () => {
  const on = await forThisTest(startBff({ TRUST_PROXY_HOPS: '1', LIMIT_AUTHORIZE_PER_MINUTE_PER_IP: '2' }))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'spa',
    redirect_uri: `${on.config.PUBLIC_ORIGIN}/auth/handler`,
    state: 'page-state',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const begin = (ip: string) =>
    on.browser().send('GET', `/auth/authorize?${query}`, { headers: { 'x-forwarded-for': ip } })
  const [mine, other] = [newIp(), newIp()]
  for (const ip of [mine, mine, other]) {
    expect((await begin(ip)).headers.get('location')).toContain('/protocol/openid-connect/auth')
  }
  const stored = vi.spyOn(on.dependencies.redis, 'set')
  const refused = await begin(mine)
  expect(refused.status).toBe(303)
  expect(new URL(refused.headers.get('location') ?? '', on.url).searchParams.get('error')).toBe(
    'temporarily_unavailable',
  )
  expect(refused.headers.getSetCookie()).toEqual([])
  expect(stored).not.toHaveBeenCalled()
})
