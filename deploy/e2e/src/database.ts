import { profileApi } from '@parley/contracts/account/profile'
import type { APIRequestContext } from '@playwright/test'
import { type Db, MongoClient, ObjectId } from 'mongodb'
import type { AppProcess } from './app-process.ts'

/** Makes changes that no call of the app makes: time that has passed, and a second member. */
async function inDatabase(app: AppProcess, name: string, action: (db: Db) => Promise<unknown>): Promise<void> {
  const client = await MongoClient.connect(app.urls.mongodb)
  try {
    await action(client.db(name))
  } finally {
    await client.close()
  }
}

/** Makes the time come until which a conversation was snoozed. */
export const endSnooze = (app: AppProcess, conversationId: string) =>
  inDatabase(app, 'parley_messaging', async (db) => {
    const snoozed = { _id: new ObjectId(conversationId), status: 'snoozed' }
    const change = { $set: { snoozedUntil: new Date() } }
    const { matchedCount } = await db.collection('conversations').updateOne(snoozed, change)
    if (matchedCount !== 1) throw new Error('the conversation is not snoozed')
  })

/** Makes it a quarter of an hour ago that the answers to sends with these texts were lost: their messages count as not confirmed. */
export const letDoubtAge = (app: AppProcess, texts: readonly string[]) =>
  inDatabase(app, 'parley_messaging', async (db) => {
    const doubtful = { 'content.text': { $in: texts }, 'dispatch.state': 'uncertain' }
    const past = { 'dispatch.uncertainAt': new Date(Date.now() - 15 * 60_000 - 1000) }
    const { matchedCount } = await db.collection('messages').updateMany(doubtful, { $set: past })
    if (matchedCount !== texts.length) throw new Error(`${matchedCount} of ${texts.length} messages are in doubt`)
  })

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
  const [userId, hostId] = await Promise.all([userIdOf(guest), userIdOf(host)])
  await inDatabase(app, 'parley_profile', async (db) => {
    const members = db.collection('members')
    const owner = await members.findOne({ userId: hostId })
    if (!owner) throw new Error('the owner is no member')
    const { workspaceId } = owner
    const now = new Date()
    await members.updateOne({ userId }, { $set: { status: 'removed', updatedAt: now }, $inc: { version: 1 } })
    const member = { workspaceId, userId, role: 'agent', status: 'active', version: 1, createdAt: now, updatedAt: now }
    await members.insertOne(member)
  })
}
