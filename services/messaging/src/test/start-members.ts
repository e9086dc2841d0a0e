import type { Role } from '@parley/contracts/account/permissions'
import { makeSigningKey } from '@parley/service-kit/testing/internal-authority'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { Types } from 'mongoose'
import { inject } from 'vitest'

const profileFile = `${import.meta.dirname}/../../../profile/src/server.ts`

/** Environment with which a process of messaging asks profile; profile itself is started by the first test that needs members. */
export const askingEnvironment = (port: number): Record<string, string> => ({
  PROFILE_URL: `http://127.0.0.1:${port}`,
  INTERNAL_TOKEN_KEYS: JSON.stringify([makeSigningKey(`k${new Types.ObjectId()}`)]),
})

interface Somebody {
  readonly userId: string
  readonly workspaceId: string
}

/** The profile service on a database of its own, where messaging looks for it. @param issuers whom it trusts. */
export async function startMembers(options: { port: number; issuers: string; redisUrl: string }) {
  const database = await openTestDatabase(inject('stack').urls.mongodb)
  const server = await startProcess(
    profileFile,
    {
      MONGODB_URL: database.url,
      REDIS_URL: options.redisUrl,
      INTERNAL_ISSUERS: options.issuers,
      MESSAGING_URL: 'http://127.0.0.1:9',
      INTERNAL_TOKEN_KEYS: JSON.stringify([makeSigningKey(`k${new Types.ObjectId()}`)]),
      LOG_LEVEL: 'warn',
    },
    '/readyz',
    options.port,
  )

  /** Makes a user a member under this name; nothing invites members yet. */
  async function join(
    { userId, workspaceId }: Somebody,
    name: string,
    status: 'active' | 'removed' = 'active',
    role: Role = 'agent',
  ) {
    const times = { version: 1, createdAt: new Date(), updatedAt: new Date() }
    const _id = new Types.ObjectId(userId)
    const account = { iss: 'http://127.0.0.1:9/realms/parley', sub: userId, email: `${userId}@example.com` }
    const claims = { emailVerified: true, provider: 'password', claimedName: name }
    await database.connection
      .collection('users')
      .updateOne(
        { _id },
        { $set: { ...account, ...claims, ...times, homeWorkspaceId: new Types.ObjectId() } },
        { upsert: true },
      )
    const ids = { workspaceId: new Types.ObjectId(workspaceId), userId: _id }
    await database.connection
      .collection('members')
      .updateOne(ids, { $set: { ...ids, ...times, role, status } }, { upsert: true })
  }
  const stop = async () => {
    await server.stop()
    await database.drop()
  }
  return { join, stop, goAway: server.stop }
}
