import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import mongoose from 'mongoose'
import { errors } from '../core/errors.ts'
import { fullConnection, type ServiceConnection } from '../data/mongo.ts'

/** Names the content of one file: the collection that knows of it, and its id there. */
export interface FileKey {
  readonly collection: string
  readonly id: string
}

/** Storage of the bytes of files. The database has what is known of a file. */
export interface FileContents {
  readonly write: (key: FileKey, content: Readable) => Promise<void>
  /** Reads all of it, or the bytes of a range, `end` among them. Fails with `not_found` where it was deleted. */
  readonly open: (key: FileKey, range?: { readonly start: number; readonly end: number }) => Readable
  /** Deletes the content, also what an interrupted upload has left; does nothing where there is none. */
  readonly remove: (key: FileKey) => Promise<void>
}

const { GridFSBucket, ObjectId } = mongoose.mongo

/** Stores contents in the database, beside the records of the files. */
export function inDatabase(database: ServiceConnection): FileContents {
  const connection = fullConnection(database)
  const bucket = ({ collection }: FileKey) => {
    if (!connection.db) throw errors.serviceUnavailable('the database is not open')
    return new GridFSBucket(connection.db, { bucketName: `${collection}Files` })
  }
  async function* read(key: FileKey, range: { start: number; end: number } | undefined) {
    const options = range && { start: range.start, end: range.end + 1 }
    try {
      yield* bucket(key).openDownloadStream(new ObjectId(key.id), options)
    } catch (error) {
      throw isMissing(error) ? fileDeleted() : error
    }
  }
  return {
    write: (key, content) => pipeline(content, bucket(key).openUploadStreamWithId(new ObjectId(key.id), key.id)),
    open: (key, range) => Readable.from(read(key, range), { objectMode: false }),
    remove: async (key) => {
      await bucket(key)
        .delete(new ObjectId(key.id))
        .catch((error: unknown) => {
          // GridFS deletes the chunks of an unfinished upload, and then complains that there is no file.
          if (!isMissing(error)) throw error
        })
    },
  }
}

/** Returns the error for a reader of a file that is deleted at this moment. */
export const fileDeleted = () => errors.notFound('The file was deleted.')

/** Recognises the two errors by which the driver reports a missing file. */
const isMissing = (error: unknown): boolean => error instanceof Error && /file.*not found/i.test(error.message)

const elsewhere = new WeakMap<object, FileContents>()

/** Directs new files of a database to a bucket; those that lie in the database stay readable. */
export function keepFilesIn(database: ServiceConnection, bucket: FileContents | undefined): void {
  if (bucket) elsewhere.set(fullConnection(database), bucket)
  else elsewhere.delete(fullConnection(database))
}

/** Returns the bucket of a database's files; `undefined` where they lie in the database. */
export const bucketOf = (database: ServiceConnection): FileContents | undefined =>
  elsewhere.get(fullConnection(database))
