import { createHash } from 'node:crypto'
import mongoose, { type Connection } from 'mongoose'
import { isApart, partsOf } from './erase-workspace.ts'
import { type Fenced, ofTheCell } from './workspace-moves.ts'

const { BSON } = mongoose.mongo
type Db = NonNullable<Connection['db']>
type Collection = mongoose.mongo.Collection
type Document = mongoose.mongo.Document

const maxDocuments = 500
const maxBytes = 8 * 1024 * 1024
/** Records of files whose contents are deleted in one transaction. */
const maxFiles = 20
/** Keeps numbers and patterns of the type that they are stored as. */
const asStored = { promoteValues: false, bsonRegExp: true } as const

/** Stored documents of a collection, whatever their order. */
interface Digest {
  readonly count: number
  /** Sum of the documents' hashes, in hexadecimal. */
  readonly hash: string
}
export type Digests = ReadonlyMap<string, Digest>

const contentsName = (name: string, kind: 'files' | 'chunks') => `${name}Files.${kind}`
const contentsOf = (db: Db, name: string) => ({
  files: db.collection(contentsName(name, 'files')),
  chunks: db.collection(contentsName(name, 'chunks')),
})

/** Returns the collections that may have documents of a workspace, each with whether its files lie in the database. */
async function collectionsOf(db: Db): Promise<{ name: string; hasFiles: boolean }[]> {
  const stored = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const names = stored.map(({ name }) => name)
  return names
    .filter((name) => !isApart(name) && !ofTheCell.includes(name))
    .sort()
    .map((name) => ({ name, hasFiles: names.includes(contentsName(name, 'files')) }))
}

const hashOf = (document: Document): string => createHash('sha256').update(BSON.serialize(document)).digest('hex')
const keyOf = ({ _id }: Document): string => hashOf({ _id })
const idsOf = (documents: readonly Document[]) => documents.map(({ _id }) => _id)

/** Groups documents, so that neither their number nor their size is more than a process and a transaction take. */
async function* batchesOf(documents: AsyncIterable<Document>): AsyncGenerator<Document[]> {
  let batch: Document[] = []
  let bytes = 0
  for await (const document of documents) {
    batch.push(document)
    bytes += BSON.calculateObjectSize(document)
    if (batch.length < maxDocuments && bytes < maxBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Databases of one service in the cell that has a workspace, and in the one that gets it. */
export interface Copied {
  readonly source: Db
  readonly target: Db
  readonly workspaceId: string
  readonly fenced: Fenced
}

/**
 * Copies what a service has of a workspace that rests: every collection, whatever feature it belongs to, and the contents of files that lie
 * in the database. Records come before contents, so that whatever is there is found by its workspace.
 * @returns the number of documents. @throws where the target has another document of the same id, or of a unique key.
 */
export async function copyWorkspace({ source, target, workspaceId, fenced }: Copied): Promise<number> {
  let copied = 0
  const insert = async (batch: readonly Document[], into: Collection): Promise<void> => {
    copied += await fenced(async (session) => {
      const found = into.find({ _id: { $in: idsOf(batch) } }, { ...asStored, hint: '_id_', session })
      const there = new Map((await found.toArray()).map((document) => [keyOf(document), hashOf(document)]))
      // Parts of a collection overlap.
      const missing = batch.filter((document) => {
        const known = there.get(keyOf(document))
        if (known !== undefined && known !== hashOf(document))
          throw new Error(
            `${into.collectionName} of the other cell has another document with the id ${document['_id']}`,
          )
        return known === undefined
      })
      if (missing.length > 0) await into.insertMany(missing, { session })
      return missing.length
    })
  }
  for (const { name, hasFiles } of await collectionsOf(source)) {
    const [of, into] = [source.collection(name), target.collection(name)]
    const [from, to] = [contentsOf(source, name), contentsOf(target, name)]
    if (hasFiles) {
      // The driver creates them with the first file that it stores itself.
      await to.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true })
      await to.files.createIndex({ filename: 1, uploadDate: 1 })
    }
    for (const { filter, hint } of await partsOf(of, workspaceId))
      for await (const batch of batchesOf(of.find(filter, { ...asStored, hint }))) {
        await insert(batch, into)
        if (!hasFiles) continue
        for await (const files of batchesOf(from.files.find({ _id: { $in: idsOf(batch) } }, asStored))) {
          await insert(files, to.files)
          for (const { _id } of files)
            for await (const chunks of batchesOf(from.chunks.find({ files_id: _id }, asStored)))
              await insert(chunks, to.chunks)
        }
      }
  }
  return copied
}

/**
 * Deletes what a service has of a workspace, with the contents of files in the database. Objects in a bucket stay: another cell may have them.
 * @returns the number of records.
 */
export async function clearWorkspace(db: Db, workspaceId: string, fenced: Fenced): Promise<number> {
  let removed = 0
  for (const { name, hasFiles } of await collectionsOf(db)) {
    const collection = db.collection(name)
    const { files, chunks } = contentsOf(db, name)
    const limit = hasFiles ? maxFiles : maxDocuments
    for (const { filter, hint } of await partsOf(collection, workspaceId))
      for (;;) {
        const found = await collection.find(filter, { projection: { _id: 1 }, limit, hint }).toArray()
        if (found.length === 0) break
        const ids = idsOf(found)
        await fenced(async (session) => {
          if (hasFiles) {
            await chunks.deleteMany({ files_id: { $in: ids } }, { session })
            await files.deleteMany({ _id: { $in: ids } }, { session })
          }
          await collection.deleteMany({ _id: { $in: ids } }, { session })
        })
        removed += found.length
      }
  }
  return removed
}

const none: Digest = { count: 0, hash: '' }

/**
 * Reads all that a database has of a workspace.
 * @param staysUntil documents that an index deletes before this moment are left out: each server does so by its own clock.
 * @returns a digest of each collection that has something.
 */
export async function digestWorkspace(db: Db, workspaceId: string, staysUntil = new Date(0)): Promise<Digests> {
  const digests = new Map<string, Digest>()
  for (const { name, hasFiles } of await collectionsOf(db)) {
    const collection = db.collection(name)
    const stays = await staysOf(collection, staysUntil)
    const sum = createSum()
    const sumOfFiles = createSum()
    for (const { filter, hint } of await partsOf(collection, workspaceId))
      for await (const batch of batchesOf(collection.find(filter, { ...asStored, hint }))) {
        const staying = batch.filter(stays)
        for (const document of staying) sum.add(document)
        if (hasFiles) await addFiles(staying, contentsOf(db, name), sumOfFiles)
      }
    if (sum.digest().count > 0) digests.set(name, sum.digest())
    if (sumOfFiles.digest().count > 0) digests.set(contentsName(name, 'files'), sumOfFiles.digest())
  }
  return digests
}

/** Makes what tells whether no index with a time to live deletes a document before a moment. */
async function staysOf(collection: Collection, until: Date): Promise<(document: Document) => boolean> {
  const limits = (await collection.indexes()).flatMap(({ key, expireAfterSeconds }) => {
    const [path] = Object.keys(key)
    if (path === undefined || expireAfterSeconds === undefined) return []
    return [{ path: path.split('.'), after: until.getTime() - Number(expireAfterSeconds) * 1000 }]
  })
  return (document) =>
    limits.every(({ path, after }) => {
      const value = path.reduce<unknown>((found, part) => Object(found)[part], document)
      return !(value instanceof Date) || value.getTime() > after
    })
}

/** Adds the files of records, each with the number and size of its chunks. */
async function addFiles(
  records: readonly Document[],
  { files, chunks }: ReturnType<typeof contentsOf>,
  sum: ReturnType<typeof createSum>,
): Promise<void> {
  const ids = idsOf(records)
  for await (const file of files.find({ _id: { $in: ids } }, asStored)) sum.add(file)
  const sizes = chunks.aggregate<Document>([
    { $match: { files_id: { $in: ids } } },
    { $group: { _id: '$files_id', chunks: { $sum: 1 }, bytes: { $sum: { $binarySize: '$data' } } } },
  ])
  for await (const size of sizes) sum.add(size)
}

function createSum() {
  let count = 0
  let total = 0n
  return {
    add: (document: Document): void => {
      count += 1
      total = (total + BigInt(`0x${hashOf(document)}`)) % 2n ** 256n
    },
    digest: (): Digest => ({ count, hash: total.toString(16) }),
  }
}

/** Returns the collections of which two databases have something else, with both digests. */
export function differences(source: Digests, target: Digests) {
  return [...new Set([...source.keys(), ...target.keys()])].sort().flatMap((collection) => {
    const [ofSource, ofTarget] = [source.get(collection) ?? none, target.get(collection) ?? none]
    return ofSource.hash === ofTarget.hash && ofSource.count === ofTarget.count
      ? []
      : [{ collection, source: ofSource, target: ofTarget }]
  })
}
