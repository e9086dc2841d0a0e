import { readFileSync } from 'node:fs'
import { redisRules } from '@parley/processes/processes'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

/** The user that the script of secrets writes for Redis, made here as it is written there. */
const script = readFileSync(`${inject('stack').repoRoot}/helm/parley/secrets.sh`, 'utf8')
const [, ofChart = ''] = /ACL SETUSER parley on >\$redis ([^"]+)"/.exec(script) ?? []
const url = new URL(inject('stack').urls.redis)
const password = 's3cret-of-the-test'

describe.each([
  { of: 'the chart', rules: ofChart.split(' ') },
  { of: 'compose', rules: redisRules('bff') },
])('the user of $of', ({ of, rules }) => {
  const user = `test-${of.replace(' ', '-')}-${process.pid}`
  let operator: Redis
  let bff: Bff
  beforeAll(async () => {
    operator = new Redis(url.href)
    await operator.call('ACL', 'SETUSER', user, 'on', `>${password}`, ...rules)
    bff = await startBff({ REDIS_URL: `redis://${user}:${password}@${url.host}` })
  })
  afterAll(async () => {
    await bff.stop()
    await operator.call('ACL', 'DELUSER', user)
    operator.disconnect()
  })

  test('lets the BFF sign people in, keep sessions in memory, list and end them', async () => {
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

  test('can neither empty Redis nor read its settings', async () => {
    const commands = [['FLUSHALL'], ['FLUSHDB'], ['CONFIG', 'GET', 'requirepass'], ['ACL', 'LIST']]
    for (const [command = '', ...words] of commands)
      await expect(bff.dependencies.redis.call(command, ...words)).rejects.toThrow(/NOPERM/)
  })
})

test('the user of compose reads no key of another process and listens to no other channel', async () => {
  const operator = new Redis(url.href)
  const user = `test-keys-${process.pid}`
  await operator.call('ACL', 'SETUSER', user, 'on', `>${password}`, ...redisRules('bff'))
  const redis = new Redis(url.port ? Number(url.port) : 6379, url.hostname, { username: user, password })
  try {
    for (const key of ['events:{w}', 'queue:sends:wait', 'profile:user:{u}', 'send:{n}:rate'])
      await expect(redis.get(key)).rejects.toThrow(/NOPERM/)
    await expect(redis.publish('events', 'x')).rejects.toThrow(/NOPERM/)
    expect(await redis.get('s:{none}:hot')).toBe(null)
  } finally {
    redis.disconnect()
    await operator.call('ACL', 'DELUSER', user)
    operator.disconnect()
  }
})
