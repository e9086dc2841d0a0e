import { Redis } from 'ioredis'

/** Those before are the stack's own and of tests that name one; from here on a test that names one meets another worker's. */
const firstDatabase = 8

/**
 * Empties the Redis database that this worker of the test run has to itself, and its files one after the other: queues of
 * two tests must not meet. @returns its URL.
 */
export async function emptyTestRedis(serverUrl: string): Promise<string> {
  const url = Object.assign(new URL(serverUrl), {
    pathname: `/${firstDatabase + Number(process.env['VITEST_POOL_ID'] ?? '0')}`,
  }).href
  const redis = new Redis(url)
  await redis.flushdb()
  redis.disconnect()
  return url
}
