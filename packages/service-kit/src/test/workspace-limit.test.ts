import { randomBytes } from 'node:crypto'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../core/logger.ts'
import { createRedis } from '../core/redis.ts'
import { mount } from '../http/mount.ts'
import { createWorkspaceLimit } from '../http/workspace-limit.ts'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser } from '../testing/shop-app.ts'

const logger = createLogger({ name: 'limits', level: 'silent' })
const read = defineEndpoint({
  operation: 'x.read',
  method: 'GET',
  path: '/x',
  access: 'session',
  permission: 'member',
  summary: 'Anything.',
  status: 200,
  response: z.object({}),
  errors: [],
})

let redis: Redis
let service: string
const apps: FastifyInstance[] = []
beforeEach(async () => {
  service = randomBytes(6).toString('hex')
  redis = createRedis(inject('stack').urls.redis, { name: 'limits', logger })
  await expect.poll(() => redis.status).toBe('ready')
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  redis.disconnect()
})

const limit = (store = redis) => createWorkspaceLimit({ redis: store, service, requests: 3, seconds: 60 })

test('a workspace that sends too much is refused on every replica; another one is not', async () => {
  const [first, second] = [limit(), limit()]
  for (const replica of [first, second, first]) await replica('a'.repeat(24))
  await expect(second('a'.repeat(24))).rejects.toMatchObject({ code: 'rate_limited' })
  await first('b'.repeat(24))
})

test('while Redis is away each process counts by itself', async () => {
  const away = new Redis('redis://127.0.0.1:1', { lazyConnect: true, enableOfflineQueue: false })
  const replica = limit(away)
  for (let count = 0; count < 3; count += 1) await replica('a'.repeat(24))
  await expect(replica('a'.repeat(24))).rejects.toMatchObject({ code: 'rate_limited' })
  away.disconnect()
})

test('a refused request says when to come back', async () => {
  const { app } = await startBareApp({ limitWorkspace: limit(), modules: (scope) => mount(scope, read, () => ({})) })
  apps.push(app)
  const call = () => app.inject({ url: '/x', headers: asUser })
  const answers = [await call(), await call(), await call(), await call()]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
  expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  // Probes and refusals for other reasons use nothing up.
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})
