import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createRedis } from '../core/redis.ts'
import { type BreakableLink, openBreakableLink } from '../testing/breakable-link.ts'

let link: BreakableLink
let redis: ReturnType<typeof createRedis>
beforeEach(async () => {
  link = await openBreakableLink(inject('stack').urls.redis)
  const logger = createLogger({ name: 'test', level: 'silent' })
  redis = createRedis(`redis://127.0.0.1:${link.port}`, { name: 'test', logger })
  await vi.waitUntil(() => redis.status === 'ready')
})
afterEach(async () => {
  redis.disconnect()
  await link.close()
})

/** Nothing else happens in this process meanwhile. */
function standStill(forMs: number): void {
  const end = performance.now() + forMs
  while (performance.now() < end);
}

test('a server that says nothing is given up', async () => {
  link.silence()
  await expect(redis.ping()).rejects.toThrow('Command timed out')
})

test('a process that stood still for a moment does not blame the server', async () => {
  const answer = redis.ping()
  // Commands of one turn go out together at its end.
  await new Promise((resolve) => setImmediate(resolve))
  standStill(2000)
  expect(await answer).toBe('PONG')
})
