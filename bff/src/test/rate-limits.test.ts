import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createRateLimits } from '../rate-limits.ts'
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
  // In a database of its own: every other file's sign-ups come from this address too.
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
  const limits = createRateLimits(redis, {
    LIMIT_SIGN_IN_PER_MINUTE_PER_IP: 10,
    LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: 10,
    LIMIT_SIGN_IN_FAILURES_PER_EMAIL: 10,
    LIMIT_SIGN_UP_PER_HOUR_PER_IP: 10,
    LIMIT_RESEND_INTERVAL_SECONDS: 10,
    LIMIT_RESET_PER_HOUR_PER_EMAIL: 10,
  })
  const forgive = await limits.signIn(newIp(), newAddress())
  redis.disconnect()
  await expect(forgive()).rejects.toMatchObject({ code: 'session_store_unavailable' })
})
