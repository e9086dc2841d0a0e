import { randomUUID } from 'node:crypto'
import { redisRules } from '@parley/processes/processes'
import { Redis } from 'ioredis'

/**
 * Creates the user as whom a process runs: access to other keys than its own fails in every test.
 * @returns the address with it, and a connection that may do everything.
 */
export async function createRedisUser(redisUrl: string, process: Parameters<typeof redisRules>[0]) {
  const operator = new Redis(redisUrl)
  const name = `${process}-${randomUUID()}`
  const password = randomUUID()
  await operator.call('ACL', 'SETUSER', name, 'on', `>${password}`, ...redisRules(process))
  const remove = async () => {
    await operator.call('ACL', 'DELUSER', name)
    operator.disconnect()
  }
  return { operator, url: Object.assign(new URL(redisUrl), { username: name, password }).href, remove }
}
