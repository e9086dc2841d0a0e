import { fullConnection } from '@parley/service-kit/data/mongo'
import { Redis } from 'ioredis'
import { unzipped } from './files.ts'
import type { startMessaging } from './start-messaging.ts'

type Parley = Pick<Awaited<ReturnType<typeof startMessaging>>, 'database' | 'redisUrl'>

/** Yields everything that is stored, by document, file and key, as text; archives as their contents. */
export async function* everythingStored({ database, redisUrl }: Parley) {
  const { db } = fullConnection(database.connection)
  for (const { name } of (await db?.listCollections().toArray()) ?? []) {
    if (name.endsWith('.chunks')) continue
    for await (const document of db?.collection(name).find({}) ?? []) {
      yield { store: name, id: String(document['_id']), text: JSON.stringify(document) }
      if (!name.endsWith('.files')) continue
      const pieces: Uint8Array[] = []
      const chunks = db
        ?.collection(name.replace(/files$/, 'chunks'))
        .find({ files_id: document['_id'] })
        .sort({ n: 1 })
      for await (const { data } of chunks ?? []) pieces.push(data.buffer)
      for (const text of await textsOf(Buffer.concat(pieces))) yield { store: name, id: String(document['_id']), text }
    }
  }
  const redis = new Redis(redisUrl)
  try {
    for (const key of await redis.keys('*'))
      yield { store: 'Redis', id: key, text: `${key} ${await storedAt(redis, key)}` }
  } finally {
    redis.disconnect()
  }
}

async function textsOf(bytes: Buffer): Promise<string[]> {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return [bytes.toString('latin1'), bytes.toString('utf8')]
  return [...(await unzipped(bytes).catch(() => new Map<string, Buffer>()))].flatMap(([name, part]) => [
    name,
    part.toString('utf8'),
  ])
}

async function storedAt(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key)
  if (type === 'string') return (await redis.get(key)) ?? ''
  if (type === 'hash') return JSON.stringify(await redis.hgetall(key))
  if (type === 'list') return JSON.stringify(await redis.lrange(key, 0, -1))
  if (type === 'set') return JSON.stringify(await redis.smembers(key))
  if (type === 'zset') return JSON.stringify(await redis.zrange(key, '0', '-1'))
  return type === 'stream' ? JSON.stringify(await redis.xrange(key, '-', '+')) : ''
}
