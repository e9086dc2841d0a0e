import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'

test('MongoDB is a replica set that takes transactions', async () => {
  const client = await new MongoClient(inject('stack').urls.mongodb).connect()
  try {
    const things = client.db('stores_test').collection('things')
    await things.insertOne({ n: 0 })
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await things.updateOne({}, { $inc: { n: 1 } }, { session })
      }),
    )
    expect(await things.findOne({}, { projection: { _id: 0 } })).toEqual({ n: 1 })
  } finally {
    await client.db('stores_test').dropDatabase()
    await client.close()
  }
})

test('Redis keeps what it is told: append-only, nothing evicted', async () => {
  const redis = new Redis(inject('stack').urls.redis)
  try {
    expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes'])
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
  } finally {
    redis.disconnect()
  }
})
