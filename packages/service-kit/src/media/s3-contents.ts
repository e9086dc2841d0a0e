import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { s3UrlSchema } from '../core/config.ts'
import { errors } from '../core/errors.ts'
import { type FileContents, type FileKey, fileDeleted } from './file-contents.ts'

const connectionTimeoutMs = 5000
const requestTimeoutMs = 60_000
const maxTries = 3

/**
 * Files as objects of a bucket. Without a key in the address the machine's own role is used, as the AWS SDK finds it.
 * Parts of an interrupted upload are not listed; a lifecycle rule of the bucket should delete unfinished uploads after a day.
 */
export function inBucket({
  endpoint,
  region,
  bucket,
  prefix,
  credentials,
}: z.output<typeof s3UrlSchema>): FileContents {
  let opened: ReturnType<typeof open> | undefined

  /** The SDK is loaded at the first file: processes that store none do without. */
  async function open() {
    const { DeleteObjectCommand, GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const { Upload } = await import('@aws-sdk/lib-storage')
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      maxAttempts: maxTries,
      ...(credentials && { credentials }),
      requestHandler: { connectionTimeout: connectionTimeoutMs, requestTimeout: requestTimeoutMs },
    })
    return {
      put: (params: { Bucket: string; Key: string; Body: Readable }) => new Upload({ client, params }).done(),
      get: (input: ConstructorParameters<typeof GetObjectCommand>[0]) => client.send(new GetObjectCommand(input)),
      delete: (input: ConstructorParameters<typeof DeleteObjectCommand>[0]) =>
        client.send(new DeleteObjectCommand(input)),
    }
  }
  const store = () => {
    opened ??= open()
    return opened
  }
  const objectOf = ({ collection, id }: FileKey) => ({ Bucket: bucket, Key: `${prefix}${collection}/${id}` })

  async function* read(key: FileKey, range: { start: number; end: number } | undefined) {
    const { get } = await store()
    const part = range && { Range: `bytes=${range.start}-${range.end}` }
    const { Body } = await get({ ...objectOf(key), ...part }).catch((error: unknown) => {
      throw error instanceof Error && error.name === 'NoSuchKey' ? fileDeleted() : error
    })
    if (!(Body instanceof Readable)) throw new Error('the bucket answered without a content')
    yield* Body
  }

  return {
    write: async (key, content) => {
      const { put } = await store()
      await put({ ...objectOf(key), Body: content }).catch((error: unknown) => {
        throw errors.serviceUnavailable(error)
      })
    },
    open: (key, range) => Readable.from(read(key, range), { objectMode: false }),
    remove: async (key) => {
      const { delete: remove } = await store()
      await remove(objectOf(key)).catch((error: unknown) => {
        throw errors.serviceUnavailable(error)
      })
    },
  }
}
