import { MongoClient, ObjectId } from 'mongodb'
import type { AppProcess } from './app-process.ts'

/** Makes the time come until which a conversation was snoozed. */
export async function endSnooze(app: AppProcess, conversationId: string): Promise<void> {
  const client = await MongoClient.connect(app.urls.mongodb)
  try {
    const snoozed = { _id: new ObjectId(conversationId), status: 'snoozed' }
    const { matchedCount } = await client
      .db('parley_messaging')
      .collection('conversations')
      .updateOne(snoozed, { $set: { snoozedUntil: new Date() } })
    if (matchedCount !== 1) throw new Error('the conversation is not snoozed')
  } finally {
    await client.close()
  }
}
