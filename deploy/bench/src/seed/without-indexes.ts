import type { Db } from 'mongodb'

const collections = ['contacts', 'conversations', 'messages', 'messageSearch'] as const

/** An index that is built at the end costs a tenth of one that is written with each record. */
export async function withoutIndexes(db: Db, work: () => Promise<void>): Promise<void> {
  const indexes = []
  for (const name of collections) {
    const all = await db.collection(name).indexes()
    indexes.push({ name, own: all.filter(({ key }) => Object.keys(key).join() !== '_id') })
    await db.collection(name).dropIndexes()
  }
  await work()
  for (const { name, own } of indexes)
    await db.collection(name).createIndexes(own.map(({ v: _version, ...index }) => ({ ...index })))
}
