import { join } from 'node:path'
import { BSON, type Collection, type Db, type Document, type MongoClient } from 'mongodb'
import { inspectFile, readDocuments } from './bson-file.ts'
import { type Manifest, readManifest, type SavedCollection } from './manifest.ts'
import { Refusal } from './refusal.ts'

const batchDocuments = 1000
const batchBytes = 8 * 1024 * 1024

/** Reads a whole backup and compares it with its manifest. @throws Refusal naming what is missing, cut off or changed. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const { file, documents, sha256, sizeBytes } of manifest.collections) {
    const facts = await inspectFile(join(folder, file))
    if (facts.sizeBytes !== sizeBytes || facts.sha256 !== sha256)
      throw new Refusal(`${file} is not what the backup has written.`)
    if (facts.documents !== documents)
      throw new Refusal(`${file} holds ${facts.documents} documents, the manifest says ${documents}.`)
  }
  return manifest
}

/**
 * Puts a backup into the database that the connection names. The whole backup is verified first: where it is refused,
 * nothing has been touched.
 * @param options.force deletes what the database holds; without it a database that holds anything is refused.
 */
export async function restoreDatabase(
  client: MongoClient,
  folder: string,
  { force = false }: { force?: boolean } = {},
): Promise<Manifest> {
  const manifest = await verifyBackup(folder)
  const db = client.db()
  const present = await db.listCollections({}, { nameOnly: true }).toArray()
  if (!force && present.length > 0)
    throw new Refusal(`Database ${db.databaseName} is not empty. --force deletes what it holds.`)
  // One by one: who may read and write need not be allowed to drop a database.
  for (const { name } of present) if (!name.startsWith('system.')) await db.dropCollection(name)
  for (const saved of manifest.collections) await restoreCollection(db, folder, saved)
  return manifest
}

async function restoreCollection(db: Db, folder: string, saved: SavedCollection): Promise<void> {
  const options = BSON.EJSON.deserialize(saved.options)
  const collection = await db.createCollection(saved.name, options)
  const hasValidator = 'validator' in options
  for await (const batch of batchesOf(readDocuments(join(folder, saved.file))))
    await insert(collection, batch, hasValidator)
  // Behind the documents: one pass over them is quicker than one step for each.
  const indexes = saved.indexes.map((index) => BSON.EJSON.deserialize(index)).filter(({ name }) => name !== '_id_')
  if (indexes.length > 0) await db.command({ createIndexes: saved.name, indexes })
  const documents = await collection.countDocuments()
  if (documents !== saved.documents)
    throw new Error(`${saved.name} has ${documents} documents after the restore instead of ${saved.documents}`)
}

/** Without a validator of the collection in the way, which needs `dbAdmin`: what was stored is stored again. */
const insert = (collection: Collection, documents: Document[], hasValidator: boolean) =>
  collection.insertMany(documents, {
    ordered: true,
    bypassDocumentValidation: hasValidator,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: false,
  })

/** Numbers keep their kind (32 or 64 bits, decimal), so that a restored document is the same byte for byte. */
const parse = (bytes: Buffer): Document => BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true })

async function* batchesOf(documents: AsyncIterable<Buffer>): AsyncGenerator<Document[]> {
  let batch: Document[] = []
  let sizeBytes = 0
  for await (const bytes of documents) {
    batch.push(parse(bytes))
    sizeBytes += bytes.length
    if (batch.length < batchDocuments && sizeBytes < batchBytes) continue
    yield batch
    batch = []
    sizeBytes = 0
  }
  if (batch.length > 0) yield batch
}
