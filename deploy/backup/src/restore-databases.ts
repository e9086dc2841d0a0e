import { join } from 'node:path'
import { BSON, type Document, type MongoClient } from 'mongodb'
import { type Backup, type Manifest, readDocuments, type SavedCollection, verifyBackup } from './archive.ts'
import type { BackupKeys } from './encryption.ts'
import { listBeside, readErasures, recordErasures, repeatErasures } from './erasures.ts'
import {
  doubtCalls,
  doubtRecipients,
  holdSends,
  holdSessions,
  listHeld,
  stopCampaigns,
  tellRouting,
} from './held-records.ts'
import { Refusal } from './refusal.ts'

const batchDocuments = 1000
const batchBytes = 8 * 1024 * 1024

/**
 * Puts a backup back into the databases that it was taken of. The whole backup is verified first: where it is refused,
 * nothing has been touched.
 * @param options.force deletes what these databases hold; without it one that holds anything is refused.
 * @param options.into another name for the only database of the backup.
 * @param options.keys with which the backup may be encrypted.
 * @param options.erasures the list of erasures, which is completed by what the databases tell that are deleted, and then repeated.
 * @returns the manifest, how many messages that waited to be sent and sessions of bots are held now, and how many contacts are
 * erased again.
 */
export async function restoreDatabases(
  client: MongoClient,
  folder: string,
  {
    force = false,
    into,
    keys,
    erasures = listBeside(folder),
  }: { force?: boolean; into?: string | undefined; keys?: BackupKeys; erasures?: string | undefined } = {},
): Promise<{ manifest: Manifest; held: number; sessions: number; erased: number }> {
  const { key, ...verified } = await verifyBackup(folder, keys)
  const manifest = renamed(verified.manifest, into)
  const present = await Promise.all(
    manifest.databases.map(async (database) => ({
      database,
      names: (await client.db(database).listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
    })),
  )
  const full = present.filter(({ names }) => names.length > 0).map(({ database }) => database)
  if (!force && full.length > 0)
    throw new Refusal(`Database ${full.join(', ')} is not empty. --force deletes what it holds.`)
  const databases = manifest.databases.map((name) => client.db(name))
  await recordErasures(databases, erasures)
  const toErase = await readErasures(erasures)
  // One by one: who may read and write need not be allowed to drop a database.
  for (const { database, names } of present)
    for (const name of names.filter((one) => !one.startsWith('system.'))) await client.db(database).dropCollection(name)
  let [held, sessions] = [0, 0]
  for (const saved of manifest.collections) {
    const counts = await restoreCollection(client, { folder, key }, saved)
    held += counts.held
    sessions += counts.sessions
  }
  for (const database of databases) {
    await doubtRecipients(database)
    await listHeld(database)
  }
  return { manifest, held, sessions, erased: await repeatErasures(databases, toErase.values()) }
}

function renamed(manifest: Manifest, into: string | undefined): Manifest {
  if (into === undefined || manifest.databases.includes(into)) return manifest
  if (manifest.databases.length > 1)
    throw new Refusal(`The backup holds ${manifest.databases.join(', ')}: leave the database out of MONGODB_URL.`)
  const collections = manifest.collections.map((saved) => ({ ...saved, database: into }))
  return { ...manifest, databases: [into], collections }
}

/** @returns how many messages that waited to be sent, and how many sessions of bots, are held. */
async function restoreCollection(
  client: MongoClient,
  { folder, key }: { folder: string; key: Backup['key'] },
  saved: SavedCollection,
): Promise<{ held: number; sessions: number }> {
  const db = client.db(saved.database)
  const options = BSON.EJSON.deserialize(saved.options)
  const collection = await db.createCollection(saved.name, options)
  // Bypasses the collection's validator, which needs `dbAdmin`: documents are stored again as they were.
  const insertOptions = {
    ordered: true,
    bypassDocumentValidation: 'validator' in options,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: false,
  } as const
  for await (const batch of batchesOf(readDocuments(join(folder, saved.file), key)))
    await collection.insertMany(batch, insertOptions)
  // Done before there is an index by which a sender could find them.
  const held = saved.name === 'messages' ? await holdSends(db) : 0
  const sessions = saved.name === 'runs' ? await holdSessions(db) : 0
  if (saved.name === 'campaigns') await stopCampaigns(db)
  if (saved.name === 'routing') await tellRouting(db)
  if (saved.name === 'calls') await doubtCalls(db)
  // Done after the documents: one pass over them is quicker than a step for each.
  const indexes = saved.indexes.map((index) => BSON.EJSON.deserialize(index)).filter(({ name }) => name !== '_id_')
  if (indexes.length > 0) await db.command({ createIndexes: saved.name, indexes })
  const documents = await collection.countDocuments()
  if (documents !== saved.documents)
    throw new Error(`${saved.name} has ${documents} documents after the restore instead of ${saved.documents}`)
  return { held, sessions }
}

async function* batchesOf(documents: AsyncIterable<Buffer>): AsyncGenerator<Document[]> {
  let batch: Document[] = []
  let sizeBytes = 0
  for await (const bytes of documents) {
    // Numbers keep their kind (32 or 64 bits, decimal), so that a restored document is the same byte for byte.
    batch.push(BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true }))
    sizeBytes += bytes.length
    if (batch.length < batchDocuments && sizeBytes < batchBytes) continue
    yield batch
    batch = []
    sizeBytes = 0
  }
  if (batch.length > 0) yield batch
}
