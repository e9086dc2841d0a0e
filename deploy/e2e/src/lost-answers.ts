import { MongoClient } from 'mongodb'
import type { AppProcess } from './app-process.ts'

const quarterOfAnHourMs = 15 * 60_000

/** Makes it a quarter of an hour ago that the answers to sends with these texts were lost: their messages count as not confirmed. */
export async function letDoubtAge(app: AppProcess, texts: readonly string[]): Promise<void> {
  const client = await MongoClient.connect(app.urls.mongodb)
  try {
    const doubtful = { 'content.text': { $in: texts }, 'dispatch.state': 'uncertain' }
    const past = { 'dispatch.uncertainAt': new Date(Date.now() - quarterOfAnHourMs - 1000) }
    const { matchedCount } = await client
      .db('parley_messaging')
      .collection('messages')
      .updateMany(doubtful, { $set: past })
    if (matchedCount !== texts.length) throw new Error(`${matchedCount} of ${texts.length} messages are in doubt`)
  } finally {
    await client.close()
  }
}
