import { profileApi } from '@parley/contracts/profile'
import type { APIRequestContext } from '@playwright/test'
import { MongoClient, ObjectId } from 'mongodb'
import type { AppProcess } from './app-process.ts'

/** Id of the user whose session `request` bears. */
async function userIdOf(request: APIRequestContext): Promise<ObjectId> {
  const answer = await request.get(profileApi.user.path)
  return new ObjectId(profileApi.user.response.parse(await answer.json()).id)
}

/**
 * Makes one person an agent in the workspace of another, from their next sign-in on: nothing invites members yet.
 * @param guest bears the session of who joins, `host` that of the workspace's owner.
 */
export async function joinWorkspace(app: AppProcess, guest: APIRequestContext, host: APIRequestContext): Promise<void> {
  const [guestId, hostId] = await Promise.all([userIdOf(guest), userIdOf(host)])
  const client = await MongoClient.connect(app.urls.mongodb)
  try {
    const members = client.db('parley_profile').collection('members')
    const host = await members.findOne({ userId: hostId })
    if (!host) throw new Error('the owner is no member')
    const now = new Date()
    await members.updateOne({ userId: guestId }, { $set: { status: 'removed', updatedAt: now }, $inc: { version: 1 } })
    await members.insertOne({
      workspaceId: host['workspaceId'],
      userId: guestId,
      role: 'agent',
      status: 'active',
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
  } finally {
    await client.close()
  }
}
