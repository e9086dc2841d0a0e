import { vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createRedis } from '../core/redis.ts'
import { asUser, json } from './shop-app.ts'
import { createTaskIndexes, startTaskService } from './task-service.ts'
import { openTestDatabase } from './test-database.ts'

/**
 * Opens the imaginary service with stores of one test file, and a client that calls it.
 * @param kept returns its kept counter of tasks.
 */
export async function openTaskService(urls: { mongodb: string; redis: string }, kept?: () => Promise<number>) {
  const database = await openTestDatabase(urls.mongodb)
  await createTaskIndexes(database.connection)
  const redis = createRedis(urls.redis, { name: 'tasks', logger: createLogger({ name: 'test', level: 'silent' }) })
  await vi.waitUntil(() => redis.status === 'ready')
  const service = await startTaskService(database.connection, redis, kept)

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...asUser, ...(body !== undefined && json) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const stop = async () => {
    await service.close()
    redis.disconnect()
    await database.drop()
  }
  return { ...service, connection: database.connection, redis, call, stop }
}
