import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownStack } from '../testing/own-stack.ts'

test('a killed MongoDB comes back by itself with every write that it acknowledged', async () => {
  const { stack, notes } = await ownStack(['mongodb'])
  const client = await new MongoClient(stack.urls.mongodb, { serverSelectionTimeoutMS: 5000 }).connect()
  onTestFinished(() => client.close())
  const writes = client.db('durability').collection<{ _id: number }>('writes', { writeConcern: { w: 'majority' } })
  const acknowledged: number[] = []
  let next = 0
  let done = false
  const writer = async () => {
    while (!done) {
      const id = next++
      await writes.insertOne({ _id: id }).then(
        () => acknowledged.push(id),
        () => undefined,
      )
    }
  }
  const writers = [writer(), writer(), writer(), writer()]
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(200), { timeout: 50_000 })
  stack.kill('mongodb', 'SIGKILL')
  const before = acknowledged.length
  await vi.waitFor(() => expect(notes()).toContain('MongoDB died (SIGKILL) and is started again.'))
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 50), { timeout: 50_000 })
  done = true
  await Promise.all(writers)
  const found = new Set((await writes.find().toArray()).map((document) => document._id))
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
}, 180_000)

test('a killed Redis comes back by itself with every write older than two seconds', async () => {
  const { stack, notes } = await ownStack(['redis'])
  const redis = new Redis(stack.urls.redis, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  onTestFinished(() => redis.disconnect())
  const acknowledgedAt = new Map<string, number>()
  // Waits, however slow the machine is, until there are enough of the required age.
  let enoughSince = Number.POSITIVE_INFINITY
  for (let id = 0; Date.now() - enoughSince < 2000; id++) {
    await redis.set(`write:${id}`, id)
    acknowledgedAt.set(`write:${id}`, Date.now())
    if (acknowledgedAt.size === 200) enoughSince = Date.now() + 100
  }
  const killedAt = Date.now()
  stack.kill('redis', 'SIGKILL')
  await vi.waitFor(() => expect(notes()).toContain('Redis died (SIGKILL) and is started again.'))
  const due = [...acknowledgedAt].filter(([, time]) => time < killedAt - 2000).map(([key]) => key)
  expect(due.length).toBeGreaterThan(100)
  const values = await redis.mget(due)
  expect(due.filter((_, index) => values[index] === null)).toEqual([])
})
