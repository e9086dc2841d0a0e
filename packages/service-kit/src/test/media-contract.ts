import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { errors } from '../core/errors.ts'
import { bucketOf, type FileContents, keepFilesIn } from '../media/file-contents.ts'
import { createMediaFiles, createMediaIndexes } from '../media/media-files.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

/** Tests what holds for files wherever their contents are stored. */
export function testMedia(where: {
  /** Absent where contents lie in the database. */
  readonly bucket?: () => FileContents | undefined
  /** Numbers of contents, and of their pieces where that is another number. */
  readonly contents: (database: TestDatabase) => Promise<readonly number[]>
  readonly clear: (database: TestDatabase) => Promise<void>
}): void {
  let database: TestDatabase
  let media: ReturnType<typeof createMediaFiles>
  let ours: { workspaceId: string }
  beforeAll(async () => {
    database = await openTestDatabase(inject('stack').urls.mongodb)
    if (database.connection.db) await createMediaIndexes(database.connection.db)
    if (where.bucket) keepFilesIn(database.connection, where.bucket())
    media = createMediaFiles(database.connection)
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    ours = { workspaceId: randomBytes(12).toString('hex') }
    await records().deleteMany({})
    await where.clear(database)
  })

  const records = () => database.connection.collection('media')
  const counts = async () => [await records().countDocuments(), ...(await where.contents(database))]
  const nothing = async () => (await counts()).every((count) => count === 0)

  const save = (
    bytes: Buffer | Readable,
    limits: { limitBytes?: number; accept?: string[] | 'any' } = {},
    scope = ours,
  ) =>
    media.save(scope, {
      content: bytes instanceof Readable ? bytes : Readable.from(inPieces(bytes)),
      accept: ['image/png', 'application/pdf'],
      limitBytes: 5_000_000,
      ...limits,
    })

  test('the limit of a file is that of its type; text is known by what it holds', async () => {
    const limitBytes = (type: string) => (type === 'text/plain' ? 10 : 5_000_000)
    const text = (words: string) =>
      media.save(ours, { content: Readable.from(Buffer.from(words)), accept: ['text/plain'], limitBytes })
    expect(await text('Grüße 🤖'.slice(0, 5))).toMatchObject({ type: 'text/plain' })
    await expect(text('more than ten bytes')).rejects.toMatchObject({ code: 'body_too_large' })
    await expect(text('\u0000\u0001')).rejects.toMatchObject({ code: 'unsupported_media_type' })
    const any = { content: Readable.from(Buffer.from([0, 1, 2])), accept: 'any' as const, limitBytes }
    expect(await media.save(ours, any)).toMatchObject({ type: 'application/octet-stream', sizeBytes: 3 })
  })

  test('a file is stored by its content, measured, and read back whole or in part', async () => {
    const bytes = png(640, 480, 1_200_000)
    const stored = await save(bytes)
    expect(stored).toMatchObject({ type: 'image/png', sizeBytes: bytes.length, widthPx: 640, heightPx: 480 })
    const found = await media.read(ours, stored.id)
    expect(found?.media).toEqual(stored)
    expect((await buffer(found?.open() ?? Readable.from([]))).equals(bytes)).toBe(true)
    const part = await buffer(found?.open({ start: 300_000, end: 300_009 }) ?? Readable.from([]))
    expect(part.equals(bytes.subarray(300_000, 300_010))).toBe(true)
  })

  test('one that is deleted before it is opened is not found', async () => {
    const { id } = await save(png(10, 10))
    const found = await media.read(ours, id)
    await media.remove(ours, id)
    for (const range of [undefined, { start: 0, end: 9 }])
      await expect(buffer(found?.open(range) ?? Readable.from([]))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('one content is stored once for a workspace, also when it comes ten times at once', async () => {
    const bytes = png(10, 10, 300_000)
    const all = await Promise.all(Array.from({ length: 10 }, () => save(bytes)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await save(bytes)).toEqual(all[0])
    expect((await counts()).slice(0, 2)).toEqual([1, 1])
    expect((await buffer((await media.read(ours, all[0]?.id ?? ''))?.open() ?? Readable.from([]))).equals(bytes)).toBe(
      true,
    )
  })

  test('one whose record is deleted while it is written leaves nothing that nobody would find', async () => {
    const bytes = png(10, 10, 1_200_000)
    async function* pieces() {
      yield bytes.subarray(0, 600_000)
      await vi.waitFor(async () => expect((await records().deleteMany({})).deletedCount).toBe(1))
      yield bytes.subarray(600_000)
    }
    await expect(save(Readable.from(pieces()))).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await nothing()).toBe(true)
  })

  test('another workspace does not see a file, nor that it has the same content', async () => {
    const theirs = { workspaceId: randomBytes(12).toString('hex') }
    const stored = await save(png(10, 10))
    expect(await media.read(theirs, stored.id)).toBeUndefined()
    expect(await media.remove(theirs, stored.id)).toBe(false)
    expect((await save(png(10, 10), {}, theirs)).id).not.toBe(stored.id)
    expect(await media.read(ours, stored.id)).toBeDefined()
    expect(await media.read(ours, 'no id')).toBeUndefined()
  })

  test.each([
    ['a page that says it is an image', Buffer.from('<html><script>alert(1)</script>'), 'unsupported_media_type'],
    ['a type that is not accepted', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 'unsupported_media_type'],
    ['nothing at all', Buffer.alloc(0), 'unsupported_media_type'],
    ['an image that would fill the memory', png(30_000, 30_000), 'validation_failed'],
    ['an image that is very long', png(16_385, 1), 'validation_failed'],
    ['an image without dimensions', png(1, 1).subarray(0, 17), 'validation_failed'],
    ['more bytes than allowed', png(10, 10, 6_000_000), 'body_too_large'],
  ])('%s is refused and leaves nothing to be found', async (_name, bytes, code) => {
    await expect(save(bytes)).rejects.toMatchObject({ code })
    const [, contents] = await counts()
    expect(contents).toBe(0)
    await media.removeUnfinished(new Date(Date.now() + 2 * 3600_000))
    expect(await nothing()).toBe(true)
  })

  test.each([
    ['that would fill the memory', png(30_000, 30_000)],
    ['without dimensions', png(1, 1).subarray(0, 17)],
  ])('where any file is accepted an image %s is one that nobody decodes', async (_name, bytes) => {
    const stored = await save(bytes, { accept: 'any' })
    expect(stored).toEqual({ ...stored, type: 'application/octet-stream', sizeBytes: bytes.length })
    expect(stored).not.toHaveProperty('widthPx')
    expect((await buffer((await media.read(ours, stored.id))?.open() ?? Readable.from([]))).equals(bytes)).toBe(true)
  })

  test('an upload that breaks off is an error for its sender, and its pieces are deleted', async () => {
    async function* breaking() {
      yield* inPieces(png(10, 10, 1_000_000))
      throw new Error('the line is gone')
    }
    await expect(save(Readable.from(breaking()))).rejects.toThrow('the line is gone')
    expect(await media.removeUnfinished()).toBe(0)
    expect(await media.removeUnfinished(new Date(Date.now() + 2 * 3600_000))).toBe(1)
    expect(await nothing()).toBe(true)
  })

  test('what a process that was killed has left is deleted after an hour; what is stored stays', async () => {
    const stored = await save(png(10, 10))
    await records().updateMany({}, { $set: { state: 'unfinished', createdAt: new Date(Date.now() - 3_700_000) } })
    const other = await save(png(20, 20))
    expect(await media.removeUnfinished()).toBe(1)
    expect(await media.read(ours, stored.id)).toBeUndefined()
    expect(await media.read(ours, other.id)).toBeDefined()
    expect((await counts()).slice(0, 2)).toEqual([1, 1])
  })

  test('a file that is removed is gone', async () => {
    const stored = await save(png(10, 10))
    expect([await media.remove(ours, stored.id), await media.remove(ours, stored.id)]).toEqual([true, false])
    expect(await nothing()).toBe(true)
  })

  test.skipIf(where.bucket !== undefined)(
    'what was stored before a bucket was named is read where it lies',
    async () => {
      const stored = await save(png(30, 30))
      keepFilesIn(database.connection, noBucket)
      try {
        expect(bucketOf(database.connection)).toBe(noBucket)
        expect((await buffer((await media.read(ours, stored.id))?.open() ?? Readable.from([]))).length).toBe(
          stored.sizeBytes,
        )
        await expect(save(png(40, 40))).rejects.toMatchObject({ code: 'service_unavailable' })
      } finally {
        keepFilesIn(database.connection, undefined)
      }
    },
  )
}

/** A PNG that says it has these dimensions, and any number of bytes after them. */
function png(widthPx: number, heightPx: number, paddingBytes = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(10))),
    chunk('tEXt', randomBytes(paddingBytes)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function* inPieces(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024)
}

const refused = () => Promise.reject(errors.serviceUnavailable('no bucket'))
const noBucket: FileContents = { write: refused, remove: refused, open: () => Readable.from([]) }
