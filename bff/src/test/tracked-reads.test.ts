import { randomUUID } from 'node:crypto'
import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createTrackedReads } from '../session/tracked-reads.ts'

const logger = createLogger({ name: 'tracked-reads', level: 'silent' })
const connect = (name: string) => createRedis(inject('stack').env.bff['REDIS_URL'] ?? '', { name, logger })
const redis = connect('reader')
const writer = connect('writer')
const reads = createTrackedReads({ redis, lifeMs: 60_000, logger })
let key = ''

beforeAll(() => vi.waitFor(async () => expect([await redis.ping(), await writer.ping()]).toEqual(['PONG', 'PONG'])))
beforeEach(async () => {
  key = `test:${randomUUID()}`
  await writer.set(key, 'one', 'PX', 60_000)
})
afterAll(() => {
  reads.disconnect()
  for (const connection of [redis, writer]) connection.disconnect()
})

/** Asks until the answer comes from memory. */
async function kept(by = { redis, reads }) {
  await vi.waitFor(async () => expect(await asksRedis(by)).toBe(false))
}

async function asksRedis(by = { redis, reads }): Promise<boolean> {
  const looks = [vi.spyOn(by.redis, 'get'), vi.spyOn(by.redis, 'pipeline')]
  await by.reads.get(key)
  const asked = looks.some((look) => look.mock.calls.length > 0)
  for (const look of looks) look.mockRestore()
  return asked
}

test.each([
  ['a change', () => writer.set(key, 'two'), 'two'],
  ['a deletion', () => writer.del(key), null],
  ['a script', () => writer.eval('return redis.call("SET", KEYS[1], "two")', 1, key), 'two'],
])('%s by anybody is told of', async (_what, change, answer) => {
  await kept()
  await change()
  await vi.waitFor(async () => expect(await reads.get(key)).toBe(answer))
})

test('nothing is kept longer than it lives in Redis', async () => {
  await kept()
  await vi.waitFor(async () => {
    // Stored again each time: where this process was delayed, it may have expired before it is read.
    await writer.set(key, 'two', 'PX', 4000)
    expect([await reads.get(key), await reads.get(key)]).toEqual(['two', 'two'])
  })
  await vi.waitFor(async () => expect(await reads.get(key)).toBeNull())
})

test('what is dropped here is asked for anew', async () => {
  await kept()
  reads.drop(key)
  expect(await asksRedis()).toBe(true)
})

test('an answer that was overtaken by a change is not kept', async () => {
  await kept()
  reads.drop(key)
  await reads.get(key)
  const open = redis.pipeline.bind(redis)
  vi.spyOn(redis, 'pipeline').mockImplementationOnce(() => {
    const pipeline = open()
    const run = pipeline.exec.bind(pipeline)
    pipeline.exec = async () => {
      const answers = await run()
      reads.drop(key)
      return answers
    }
    return pipeline
  })
  expect(await reads.get(key)).toBe('one')
  vi.restoreAllMocks()
  expect(await asksRedis()).toBe(true)
})

test('calls at the same moment share one read', async () => {
  await kept()
  reads.drop(key)
  await reads.get(key)
  const look = vi.spyOn(redis, 'pipeline')
  expect(await Promise.all(Array.from({ length: 20 }, () => reads.get(key)))).toEqual(Array(20).fill('one'))
  expect(look).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})

test('that a key is not there is kept too, and its making is told of', async () => {
  key = `test:${randomUUID()}`
  await kept()
  expect(await reads.get(key)).toBeNull()
  await writer.set(key, 'one', 'PX', 60_000)
  await vi.waitFor(async () => expect(await reads.get(key)).toBe('one'))
})

test('a connection that has lost its tracking unnoticed keeps nothing', async () => {
  await kept()
  reads.drop(key)
  await redis.call('CLIENT', 'TRACKING', 'OFF')
  for (let time = 0; time < 4; time++) expect(await asksRedis()).toBe(true)
})

test('a change that is never told of is noticed after a read’s life', async () => {
  const deaf = connect('deaf')
  const short = createTrackedReads({ redis: deaf, lifeMs: 500, logger })
  onTestFinished(() => {
    short.disconnect()
    deaf.disconnect()
  })
  await kept({ redis: deaf, reads: short })
  await deaf.call('CLIENT', 'TRACKING', 'OFF')
  await writer.set(key, 'two')
  await vi.waitFor(async () => expect(await short.get(key)).toBe('two'))
})
