import { type Db, type Document, ObjectId } from 'mongodb'

const batchSize = 1000
/** Enough for a rate. */
const mostRows = 200_000

/**
 * The least that adding contacts takes: the documents of a workspace once more, into a collection with the same indexes, a
 * thousand at a time. Reading them is not counted.
 */
export async function bareInsertsPerSecond(db: Db, workspaceId: ObjectId): Promise<number> {
  const [contacts, copies] = [db.collection('contacts'), db.collection('benchContacts')]
  const indexes = (await contacts.indexes()).filter(({ key }) => Object.keys(key).join() !== '_id')
  await copies.createIndexes(indexes.map(({ v: _version, ...index }) => ({ ...index })))
  let [count, ms] = [0, 0]
  let after = new ObjectId('0'.repeat(24))
  while (count < mostRows) {
    const page: Document[] = await contacts
      .find({ workspaceId, live: true, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .hint('newest')
      .toArray()
    if (page.length === 0) break
    after = page.at(-1)?.['_id'] ?? after
    const begun = performance.now()
    await copies.insertMany(page, { ordered: false })
    ms += performance.now() - begun
    count += page.length
  }
  await copies.drop()
  return (count / ms) * 1000
}
