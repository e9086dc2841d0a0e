import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import mongoose, { type Connection } from 'mongoose'
import { errors } from '../core/errors.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from '../data/mongo.ts'
import { bucketOf, inDatabase } from './file-contents.ts'
import { inspectUpload } from './inspect-upload.ts'
import type { FoundMedia, MediaStore, StoredMedia } from './media-store.ts'

/** Milliseconds after which an unfinished upload is given up: uploads take minutes at most. */
const unfinishedMs = 3600_000

const { ObjectId } = mongoose.mongo
type Db = NonNullable<Connection['db']>

/** One file; its content lies in the database, or in a bucket, under the same id. Nothing else is known of it until it is stored. */
interface MediaRecord extends Partial<Omit<StoredMedia, 'id'>> {
  _id: mongoose.mongo.ObjectId
  workspaceId: string
  state: 'unfinished' | 'stored'
  /** Bucket of the content; absent where it lies in the database. */
  lies?: 'bucket'
  createdAt: Date
}

/**
 * For a service's migration. Two uploads of one content at once end in one file, unless each is to be a file of its own.
 * @param name of the collection.
 */
export async function createMediaIndexes(db: Db, name = 'media', { distinct = false } = {}): Promise<void> {
  const media = db.collection(name)
  const unique = { unique: true, partialFilterExpression: { state: 'stored' } }
  if (!distinct) await media.createIndex({ workspaceId: 1, sha256: 1 }, { ...unique, name: 'content' })
  await media.createIndex({ createdAt: 1 }, { partialFilterExpression: { state: 'unfinished' }, name: 'unfinished' })
}

/** Creates the index by which files of a collection are deleted after a time; part of a migration. */
export async function createFileAgeIndex(db: Db, name: string): Promise<void> {
  await db.collection(name).createIndex({ createdAt: 1 }, { name: 'age' })
}

/** Creates the index by which all files of a workspace are found; part of a migration. */
export async function createFileWorkspaceIndex(db: Db, name: string): Promise<void> {
  await db.collection(name).createIndex({ workspaceId: 1 }, { name: 'workspace' })
}

/**
 * Files of a service: in its own database, or in the bucket that `keepFilesIn` has named.
 * @param name of the collection: files with another life than media have one of their own.
 */
export function createMediaFiles(
  database: ServiceConnection,
  name = 'media',
): MediaStore & {
  /** Deletes the remains of interrupted uploads; to be called now and then. @returns their number. */
  readonly removeUnfinished: (now?: Date) => Promise<number>
  /** Deletes files of all workspaces that are older, at most 1,000 at a time; the collection needs {@link createFileAgeIndex}. */
  readonly removeOlder: (before: Date) => Promise<number>
  /** Returns ids of all files of a workspace; for a collection that holds few, with {@link createFileAgeIndex}. */
  readonly idsOf: (scope: { readonly workspaceId: string }) => AsyncIterable<string>
  /** Deletes files of a workspace but for some, unfinished ones too, 100 at a time; needs {@link createFileWorkspaceIndex}. */
  readonly removeOf: (scope: { readonly workspaceId: string }, but?: readonly string[]) => Promise<number>
} {
  const connection = fullConnection(database)
  const records = () => connection.collection<MediaRecord>(name)
  const besides = inDatabase(database)
  const keyOf = ({ _id }: Pick<MediaRecord, '_id'>) => ({ collection: name, id: String(_id) })

  function contentsOf({ lies }: Pick<MediaRecord, 'lies'>) {
    const contents = lies === 'bucket' ? bucketOf(database) : besides
    if (!contents) throw errors.serviceUnavailable('the file lies in a bucket, and none is set')
    return contents
  }

  const save: MediaStore['save'] = async ({ workspaceId }, upload) => {
    const { content, atEnd, ...size } = await inspectUpload(upload)
    const begun = { _id: new ObjectId(), workspaceId, ...(bucketOf(database) && { lies: 'bucket' as const }) }
    // Stored first, so that there is a record by which the content is found, whatever happens to it.
    await records().insertOne({ ...begun, state: 'unfinished', createdAt: new Date() })
    const hash = createHash('sha256')
    let sizeBytes = 0
    let found: FoundMedia
    const measured = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk)
        sizeBytes += chunk.length
        done(null, chunk)
      },
    })
    try {
      await pipeline(content, measured, (source) => contentsOf(begun).write(keyOf(begun), Readable.from(source)))
      found = atEnd()
    } catch (error) {
      await removeContent(begun).catch(() => undefined)
      throw error
    }
    return keep({
      ...begun,
      ...size,
      ...found,
      sizeBytes,
      sha256: hash.digest('hex'),
      state: 'stored',
      createdAt: new Date(),
    })
  }

  /** Makes an upload a file, or deletes it in favour of one with the same content. */
  async function keep(record: MediaRecord): Promise<StoredMedia> {
    const { _id, workspaceId, ...fields } = record
    try {
      const { matchedCount } = await records().updateOne({ _id }, { $set: fields })
      if (matchedCount === 1) return toMedia(record)
      await removeContent(record)
      throw errors.serviceUnavailable('the file was removed while it was written')
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    // An older version may have recorded less about the same content.
    const { type = '', traits = {} } = record
    const same = await records().findOneAndUpdate(
      { workspaceId, sha256: record.sha256 ?? '', state: 'stored' },
      { $set: { type, traits } },
      { returnDocument: 'after' },
    )
    if (!same) throw errors.serviceUnavailable('the same file was removed at this moment')
    await removeContent(record)
    await records().deleteOne({ _id })
    return toMedia(same)
  }

  const removeContent = (record: Pick<MediaRecord, '_id' | 'lies'>) => contentsOf(record).remove(keyOf(record))

  async function removeAll(filter: { state?: 'unfinished'; createdAt: { $lt: Date } }): Promise<number> {
    const found = await records().find(filter).limit(1000).toArray()
    for (const record of found) {
      // It is deleted once its bucket is configured again.
      if (record.lies === 'bucket' && !bucketOf(database)) continue
      await removeContent(record)
      await records().deleteOne({ _id: record._id })
    }
    return found.length
  }

  const find = (workspaceId: string, id: string) =>
    /^[0-9a-f]{24}$/.test(id)
      ? records().findOne({ _id: new ObjectId(id), workspaceId, state: 'stored' })
      : Promise.resolve(null)

  return {
    save,
    read: async ({ workspaceId }, id) => {
      const record = await find(workspaceId, id)
      if (!record) return undefined
      return {
        media: toMedia(record),
        open: (range) => contentsOf(record).open(keyOf(record), range),
      }
    },
    remove: async ({ workspaceId }, id) => {
      const record = await find(workspaceId, id)
      if (!record) return false
      // Marked as unfinished, it is found again should this process die before its content is deleted.
      await records().updateOne({ _id: record._id }, { $set: { state: 'unfinished' } })
      await removeContent(record)
      await records().deleteOne({ _id: record._id })
      return true
    },
    removeUnfinished: (now = new Date()) =>
      removeAll({ state: 'unfinished', createdAt: { $lt: new Date(now.getTime() - unfinishedMs) } }),
    idsOf: async function* ({ workspaceId }) {
      for await (const { _id } of records().find({ workspaceId, state: 'stored' }).hint('age')) yield String(_id)
    },
    removeOlder: (before) => removeAll({ createdAt: { $lt: before } }),
    removeOf: async ({ workspaceId }, but = []) => {
      const others = but.length > 0 ? { _id: { $nin: but.map((id) => new ObjectId(id)) } } : {}
      const found = await records()
        .find({ workspaceId, ...others })
        .limit(100)
        .hint('workspace')
        .toArray()
      for (const record of found) {
        await removeContent(record)
        await records().deleteOne({ _id: record._id })
      }
      return found.length
    },
  }
}

function toMedia({ _id, type = '', traits, sizeBytes = 0, sha256 = '', widthPx, heightPx }: MediaRecord): StoredMedia {
  const size = widthPx === undefined || heightPx === undefined ? {} : { widthPx, heightPx }
  return { id: String(_id), type, ...(traits && { traits }), sizeBytes, sha256, ...size }
}
