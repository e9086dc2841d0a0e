import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import mongoose, { type Connection } from 'mongoose'
import { errors } from '../core/errors.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from '../data/mongo.ts'
import { inspectUpload } from './inspect-upload.ts'
import type { MediaStore, StoredMedia } from './media-store.ts'

/** An upload takes minutes at most: what is not stored after this long never will be. */
const unfinishedMs = 3600_000

const { GridFSBucket, ObjectId } = mongoose.mongo
type Db = NonNullable<Connection['db']>

/** One file; its content lies in the bucket under the same id. Nothing else is known of it until it is stored. */
interface MediaRecord extends Partial<Omit<StoredMedia, 'id'>> {
  _id: mongoose.mongo.ObjectId
  workspaceId: string
  state: 'unfinished' | 'stored'
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

/** For a migration: finds the files of a collection that are deleted after a time. */
export async function createFileAgeIndex(db: Db, name: string): Promise<void> {
  await db.collection(name).createIndex({ createdAt: 1 }, { name: 'age' })
}

/**
 * Files in the service's own database.
 * @param name of the collection: files with another life than media have one of their own.
 */
export function createGridFsMedia(
  database: ServiceConnection,
  name = 'media',
): MediaStore & {
  /** Deletes what uploads that broke off have left; to be called now and then. @returns how many there were. */
  readonly removeUnfinished: (now?: Date) => Promise<number>
  /** Deletes files of all workspaces that are older, at most 1,000 of them; the collection needs {@link createFileAgeIndex}. */
  readonly removeOlder: (before: Date) => Promise<number>
  /** The files of a workspace; for a collection that holds few, with {@link createFileAgeIndex}. */
  readonly idsOf: (scope: { readonly workspaceId: string }) => AsyncIterable<string>
} {
  const connection = fullConnection(database)
  const records = () => connection.collection<MediaRecord>(name)
  const bucket = () => {
    if (!connection.db) throw errors.serviceUnavailable('the database is not open')
    return new GridFSBucket(connection.db, { bucketName: `${name}Files` })
  }

  const save: MediaStore['save'] = async ({ workspaceId }, upload) => {
    const { content, ...kind } = await inspectUpload(upload)
    const _id = new ObjectId()
    // First, so that whatever happens to the content there is a record by which it is found.
    await records().insertOne({ _id, workspaceId, state: 'unfinished', createdAt: new Date() })
    const hash = createHash('sha256')
    let sizeBytes = 0
    const measured = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk)
        sizeBytes += chunk.length
        done(null, chunk)
      },
    })
    try {
      await pipeline(content, measured, bucket().openUploadStreamWithId(_id, String(_id)))
    } catch (error) {
      await removeContent(_id).catch(() => undefined)
      throw error
    }
    return keep({
      _id,
      workspaceId,
      ...kind,
      sizeBytes,
      sha256: hash.digest('hex'),
      state: 'stored',
      createdAt: new Date(),
    })
  }

  /** Makes an upload a file, or throws it away for one with the same content. */
  async function keep(record: MediaRecord): Promise<StoredMedia> {
    const { _id, workspaceId, ...fields } = record
    try {
      await records().updateOne({ _id }, { $set: fields })
      return toMedia(record)
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    const same = await records().findOne({ workspaceId, sha256: record.sha256 ?? '', state: 'stored' })
    if (!same) throw errors.serviceUnavailable('the same file was removed at this moment')
    await removeContent(_id)
    await records().deleteOne({ _id })
    return toMedia(same)
  }

  async function removeContent(_id: mongoose.mongo.ObjectId): Promise<void> {
    await bucket()
      .delete(_id)
      .catch((error: unknown) => {
        // It deletes the pieces of an upload that was not finished, and then complains that there is no file.
        if (!(error instanceof Error && /file not found/i.test(error.message))) throw error
      })
  }

  async function removeAll(filter: { state?: 'unfinished'; createdAt: { $lt: Date } }): Promise<number> {
    const found = await records().find(filter).limit(1000).toArray()
    for (const { _id } of found) {
      await removeContent(_id)
      await records().deleteOne({ _id })
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
        open: (range) => bucket().openDownloadStream(record._id, range && { start: range.start, end: range.end + 1 }),
      }
    },
    remove: async ({ workspaceId }, id) => {
      const record = await find(workspaceId, id)
      if (!record) return false
      // As an unfinished one it is found again, should this process die before its content is gone.
      await records().updateOne({ _id: record._id }, { $set: { state: 'unfinished' } })
      await removeContent(record._id)
      await records().deleteOne({ _id: record._id })
      return true
    },
    removeUnfinished: (now = new Date()) =>
      removeAll({ state: 'unfinished', createdAt: { $lt: new Date(now.getTime() - unfinishedMs) } }),
    idsOf: async function* ({ workspaceId }) {
      for await (const { _id } of records().find({ workspaceId, state: 'stored' }).hint('age')) yield String(_id)
    },
    removeOlder: (before) => removeAll({ createdAt: { $lt: before } }),
  }
}

function toMedia({ _id, type = '', sizeBytes = 0, sha256 = '', widthPx, heightPx }: MediaRecord): StoredMedia {
  const size = widthPx === undefined || heightPx === undefined ? {} : { widthPx, heightPx }
  return { id: String(_id), type, sizeBytes, sha256, ...size }
}
