import { Redis } from 'ioredis'

/** Those before are the stack's own and of tests that name one. */
const firstDatabase = 8

/** The URL of an empty Redis database that this worker of the test run has to itself: queues of two tests must not meet. */
export async function emptyTestRedis(serverUrl: string): Promise<string> {
  const url = Object.assign(new URL(serverUrl), {
    pathname: `/${firstDatabase + Number(process.env['VITEST_POOL_ID'] ?? '0')}`,
  }).href
  const redis = new Redis(url)
  await redis.flushdb()
  redis.disconnect()
  return url
}
