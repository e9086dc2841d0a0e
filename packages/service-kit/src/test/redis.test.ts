import { connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createRedis, redisAnswers } from '../core/redis.ts'
import { createProducerConnection, createWorkerConnection } from '../queue/queue-connections.ts'
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

test.each([
  ['requests', createRedis],
  ['a producer of jobs', createProducerConnection],
  ['workers', createWorkerConnection],
])('after a failover the connection of %s leaves the server that has become a replica', async (_of, open) => {
  const address = await openAddress(inject('stack').urls.redis)
  const connection = open(address.url, { name: 'test', logger: createLogger({ name: 'test', level: 'silent' }) })
  try {
    await vi.waitUntil(() => connection.status === 'ready')
    expect(await redisAnswers(connection)).toBe(true)
    address.failOver()
    expect(await redisAnswers(connection)).toBe('read-only')
    await expect.poll(() => redisAnswers(connection)).toBe(true)
  } finally {
    connection.disconnect()
    await address.close()
  }
})

/** An address of Redis whose open connections, after a failover, lead to a server that refuses writes. */
async function openAddress(target: string) {
  let failedOver = 0
  const { hostname, port } = new URL(target)
  const server = createServer((client) => {
    const openedIn = failedOver
    const upstream = connect(Number(port), hostname)
    client.on('data', (chunk) => {
      if (openedIn < failedOver && /\bset\b/i.test(String(chunk)))
        client.write("-READONLY You can't write against a read only replica.\r\n")
      else upstream.write(chunk)
    })
    upstream.pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `redis://127.0.0.1:${address.port}`,
    failOver: () => {
      failedOver += 1
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
