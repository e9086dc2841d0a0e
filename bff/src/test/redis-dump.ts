import { Redis } from 'ioredis'
import { inject } from 'vitest'

/** Returns every name and value that the test stack's Redis holds, as text. */
export async function redisDump(): Promise<string> {
  const redis = new Redis(inject('stack').env.bff['REDIS_URL'] ?? '')
  const dump: string[] = []
  for await (const keys of redis.scanStream({ match: '*' })) {
    for (const key of keys as string[]) dump.push(key, await contentOf(redis, key))
  }
  redis.disconnect()
  return dump.join('\n')
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key)
  if (type === 'string') return (await redis.get(key)) ?? ''
  if (type === 'set') return (await redis.smembers(key)).join()
  if (type === 'zset') return (await redis.zrange(key, 0, '-1')).join()
  if (type === 'hash') return JSON.stringify(await redis.hgetall(key))
  return type === 'list' ? (await redis.lrange(key, 0, -1)).join() : type
}
