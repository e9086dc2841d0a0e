import { Redis } from 'ioredis'

/** The URL of an empty Redis database that this worker of the test run has to itself: queues of two tests must not meet. */
export async function emptyTestRedis(serverUrl: string): Promise<string> {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${process.env['VITEST_POOL_ID'] ?? '1'}` }).href
  const redis = new Redis(url)
  await redis.flushdb()
  redis.disconnect()
  return url
}
