import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** Why nothing was done, in words for whoever runs the command. */
export class Refusal extends Error {}

/** Raised when an archive is written that older code must not read. */
export const format = 2

const collectionSchema = z.object({
  database: z.string().min(1).max(63),
  name: z.string().min(1).max(255),
  file: z.string().regex(/^[\w.-]+\.bson\.gz$/),
  documents: z.number().int().min(0),
  /** Of the file as it lies there, compressed. */
  sha256: z.string().length(64),
  /** As the server lists them, in extended JSON. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.record(z.string(), z.unknown())).max(64),
})
export type SavedCollection = z.infer<typeof collectionSchema>

const manifestSchema = z.object({
  format: z.literal(format),
  /** ISO 8601. */
  takenAt: z.string(),
  serverVersion: z.string(),
  databases: z.array(z.string()).max(1000),
  collections: z.array(collectionSchema).max(10_000),
})
export type Manifest = z.infer<typeof manifestSchema>

const fileName = 'manifest.json'
const sumName = 'manifest.json.sha256'
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Written last: an archive without it is not one. @returns its SHA-256, which is worth keeping elsewhere. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, fileName), text, { mode: 0o600 })
  await writeFile(join(folder, sumName), `${sumOf(text)}  ${fileName}\n`, { mode: 0o600 })
  return sumOf(text)
}

/** @throws Refusal where there is none, it was changed, or another version of this code has written it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = Promise.all([fileName, sumName].map((name) => readFile(join(folder, name), 'utf8')))
  const [text = '', sum] = await read.catch(() => {
    throw new Refusal(`${folder} is no backup, or not a whole one: it lacks ${fileName} or ${sumName}.`)
  })
  if (sum?.split(' ')[0] !== sumOf(text)) throw new Refusal(`${fileName} is not what the backup has written.`)
  const value: unknown = JSON.parse(text)
  const written = z.object({ format: z.number() }).safeParse(value).data?.format
  if (written !== format)
    throw new Refusal(
      `The backup has format ${written}; this version reads ${format} only. Use the code that wrote it.`,
    )
  return manifestSchema.parse(value)
}

/** Writes documents in BSON one behind the other, compressed, as mongodump does: its tools read the files too. */
export async function writeDocuments(file: string, documents: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let count = 0
  async function* counted() {
    for await (const document of documents) {
      count += 1
      yield document
    }
  }
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const target = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(Readable.from(counted()), createGzip(), hashed, target)
  return { documents: count, sha256: hash.digest('hex') }
}

/** MongoDB's own limit of a document, and what it allows itself beyond. */
const largestDocumentBytes = 16 * 1024 * 1024 + 16 * 1024

/** Reads the documents of a file one by one. @throws Refusal for a file that is cut off, or holds something else. */
export async function* readDocuments(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  const sizeOfFirst = () => (rest.length < 4 ? Number.POSITIVE_INFINITY : rest.readInt32LE(0))
  try {
    const source = createReadStream(file)
    const chunks = source.pipe(createGunzip())
    source.once('error', (error) => chunks.destroy(error))
    for await (const chunk of chunks) {
      rest = Buffer.concat([rest, chunk])
      for (let size = sizeOfFirst(); rest.length >= size; size = sizeOfFirst()) {
        if (size < 5 || size > largestDocumentBytes) throw new Error(`a document of ${size} bytes cannot be`)
        yield rest.subarray(0, size)
        rest = rest.subarray(size)
      }
    }
    if (rest.length > 0) throw new Error('it ends in the middle of a document')
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Reads a whole backup and compares it with its manifest. @throws Refusal naming what is missing, cut off or changed. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const { file, documents, sha256 } of manifest.collections) {
    const path = join(folder, file)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash).catch((error: unknown) => {
      throw new Refusal(`${path} cannot be read: ${error instanceof Error ? error.message : error}.`)
    })
    if (hash.digest('hex') !== sha256) throw new Refusal(`${file} is not what the backup has written.`)
    let count = 0
    for await (const _document of readDocuments(path)) count += 1
    if (count !== documents) throw new Refusal(`${file} holds ${count} documents, the manifest says ${documents}.`)
  }
  return manifest
}
