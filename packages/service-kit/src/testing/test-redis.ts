import { Redis } from 'ioredis'

/** First database of each kind. Those below belong to the stack, and to tests that name one; from here on, to a worker each. */
const firstDatabase = { file: 8, worker: 12 }

/**
 * Empties the Redis database that this worker of the test run has to itself: queues of two tests must not meet. @returns its URL.
 * @param kept whose it is: each `file` of a worker has it in turn, what a `worker` keeps for all of its files lies in another.
 */
export async function emptyTestRedis(serverUrl: string, kept: keyof typeof firstDatabase = 'file'): Promise<string> {
  const url = Object.assign(new URL(serverUrl), {
    pathname: `/${firstDatabase[kept] + Number(process.env['VITEST_POOL_ID'] ?? '0')}`,
  }).href
  const redis = new Redis(url)
  await redis.flushdb()
  redis.disconnect()
  return url
}
