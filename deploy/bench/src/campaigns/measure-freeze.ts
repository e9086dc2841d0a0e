import { setTimeout as delay } from 'node:timers/promises'
import { type Db, ObjectId } from 'mongodb'

const lookEveryMs = 50
const giveUpMs = 600_000
const pageSize = 1000

/** Watches a campaign until its audience is written down. @param rows how many there will be. */
export async function measureFreeze(db: Db, campaignId: string, rows: number) {
  const _id = new ObjectId(campaignId)
  const marks: { at: number; rows: number }[] = []
  const giveUpAt = performance.now() + giveUpMs
  for (;;) {
    const campaign = await db.collection('campaigns').findOne({ _id }, { projection: { frozen: 1 } })
    const at = performance.now()
    marks.push({ at, rows: campaign?.['frozen'].rows ?? 0 })
    if (campaign?.['frozen'].done) break
    if (at > giveUpAt) throw new Error('the audience was not written down in time')
    await delay(lookEveryMs)
  }
  const reached = (share: number) => marks.find((mark) => mark.rows >= rows * share)?.at ?? 0
  const begun = marks.findLast((mark) => mark.rows === 0)?.at ?? 0
  return {
    seconds: (reached(1) - begun) / 1000,
    lastOfFirst: (reached(1) - reached(0.9)) / Math.max(1, reached(0.2) - reached(0.1)),
  }
}

/** What one row of a collection takes in the database, with its indexes: bytes before compression. */
export async function bytesOfOne(db: Db, collection: string): Promise<number> {
  const { count, size, totalIndexSize } = await db.command({ collStats: collection })
  return (size + totalIndexSize) / count
}

/** The least that writing an audience down takes: contacts are read in their order, rows are inserted, a thousand at a time. */
export async function bareRowsPerSecond(db: Db, workspaceId: ObjectId, tag: string): Promise<number> {
  const [contacts, rows] = [db.collection('contacts'), db.collection('benchRows')]
  const begun = performance.now()
  let n = 0
  let after = new ObjectId('0'.repeat(24))
  for (;;) {
    const page = await contacts
      .find({ workspaceId, tags: tag, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray()
    if (page.length > 0)
      await rows.insertMany(page.map(({ _id, phone, name }, place) => ({ n: n + place, contactId: _id, phone, name })))
    n += page.length
    if (page.length < pageSize) break
    after = page.at(-1)?._id ?? after
  }
  await rows.drop()
  return n / ((performance.now() - begun) / 1000)
}
