import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

/** The user that the way through the installation makes in Redis, made here as it is written there. */
const readme = readFileSync(`${inject('stack').repoRoot}/helm/parley/README.md`, 'utf8')
const [, rules = ''] = /ACL SETUSER parley on ">\$redis_password" (.*)/.exec(readme) ?? []
const url = new URL(inject('stack').urls.redis)
const user = `test-${process.pid}`

let operator: Redis
let bff: Bff
beforeAll(async () => {
  operator = new Redis(url.href)
  const words = rules.split(' ').map((word) => word.replaceAll("'", ''))
  await operator.call('ACL', 'SETUSER', user, 'on', '>s3cret-of-the-test', ...words)
  bff = await startBff({ REDIS_URL: `redis://${user}:s3cret-of-the-test@${url.host}` })
})
afterAll(async () => {
  await bff.stop()
  await operator.call('ACL', 'DELUSER', user)
  operator.disconnect()
})

test('as that user the BFF signs in, keeps sessions in memory, lists and ends them', async () => {
  expect(rules).toContain('-@admin')
  const email = newAddress()
  const browser = bff.browser()
  expect((await browser.signUp(email, 'correct horse')).status).toBe(201)
  expect((await bff.browser().signIn(email, 'correct horse')).status).toBe(200)
  const hits = async () => {
    const { text } = await bff.dependencies.metrics.render()
    return Number(/session_cache_reads_total\{[^}]*result="hit"[^}]*\} (\d+)/.exec(text)?.[1])
  }
  await vi.waitFor(async () => {
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    expect(await hits()).toBeGreaterThan(0)
  })
  expect((await browser.send('DELETE', '/auth/sessions?others=1')).status).toBe(204)
  expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204)
  expect(bff.log.filter((line) => /NOPERM|"level":"(warn|error)"/.test(line))).toEqual([])
})

test('and can neither empty Redis nor read its settings', async () => {
  for (const [command = '', ...words] of [['FLUSHALL'], ['FLUSHDB'], ['CONFIG', 'GET', 'requirepass'], ['ACL', 'LIST']])
    await expect(bff.dependencies.redis.call(command, ...words)).rejects.toThrow(/NOPERM/)
})
