import { connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createRedis, redisAnswers } from '../core/redis.ts'
import { createProducerConnection, createWorkerConnection } from '../queue/queue-connections.ts'
import { createQueues } from '../queue/queues.ts'
import { type BreakableLink, openBreakableLink } from '../testing/breakable-link.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

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

test('after a failover the connection of each queue leaves the replica as soon as that refuses it', async () => {
  const address = await openAddress(await emptyTestRedis(inject('stack').urls.redis))
  const logger = createLogger({ name: 'test', level: 'silent' })
  const queues = createQueues({ url: address.url, service: 'test', logger, metrics: createMetrics('test') })
  const names = Array.from({ length: 10 }, (_, index) => `queue${index}`)
  const drained = new Set<string>()
  const wakeAll = async () => {
    for (const name of names) await queues.lanes(name).wake([1])
    return drained.size
  }
  try {
    for (const name of names)
      queues.workLanes(name, {
        drain: async () => {
          drained.add(name)
          return false
        },
        pendingLanes: async () => [],
      })
    await expect.poll(wakeAll).toBe(names.length)
    await expect.poll(() => address.blocking().length).toBe(names.length)
    const before = address.blocking()
    drained.clear()
    address.failOver()
    await expect.poll(wakeAll).toBe(names.length)
    expect(before.map(({ refused }) => refused)).toEqual(names.map(() => 1))
  } finally {
    await queues.close(5000)
    await address.close()
  }
})

/** An address of Redis whose open connections, after a failover, lead to a server that refuses writes. */
async function openAddress(target: string) {
  interface Link {
    readonly openedIn: number
    /** True of one that waits for jobs. */
    blocks: boolean
    /** Number of times that it was refused. */
    refused: number
  }
  let failedOver = 0
  const links = new Set<Link>()
  const { hostname, port } = new URL(target)
  const server = createServer((client) => {
    const link: Link = { openedIn: failedOver, blocks: false, refused: 0 }
    links.add(link)
    const upstream = connect(Number(port), hostname)
    client.on('data', (chunk) => {
      const commands = [...String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)].map(([, name = '']) =>
        name.toLowerCase(),
      )
      link.blocks ||= commands.includes('bzpopmin')
      if (link.openedIn < failedOver && commands.some((name) => writes.has(name))) {
        link.refused += 1
        client.write("-READONLY You can't write against a read only replica.\r\n".repeat(commands.length))
      } else upstream.write(chunk)
    })
    upstream.pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          links.delete(link)
          other.destroy()
        })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(address.port) }).href,
    failOver: () => {
      failedOver += 1
    },
    blocking: () => [...links].filter(({ blocks }) => blocks),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
const writes: ReadonlySet<string> = new Set(['set', 'eval', 'evalsha', 'bzpopmin', 'zadd', 'hset'])
