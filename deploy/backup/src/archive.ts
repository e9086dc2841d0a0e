import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { z } from 'zod'
import { type BackupKeys, cipher, decrypted, encrypted, keyFor, macOf } from './encryption.ts'
import { Refusal } from './refusal.ts'

/** Format numbers: raised when older code must not read an archive; code that knows no encryption reads the plain ones. */
export const formats = { plain: 2, encrypted: 3 } as const

const collectionSchema = z.object({
  database: z.string().min(1).max(63),
  name: z.string().min(1).max(255),
  file: z.string().regex(/^[\w.-]+\.bson\.gz(\.enc)?$/),
  documents: z.number().int().min(0),
  /** Hash of the file as stored, compressed and encrypted. */
  sha256: z.string().length(64),
  /** Options as the server lists them, in extended JSON. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.record(z.string(), z.unknown())).max(64),
})
export type SavedCollection = z.infer<typeof collectionSchema>

const manifestSchema = z.object({
  format: z.union([z.literal(formats.plain), z.literal(formats.encrypted)]),
  encryption: z.object({ cipher: z.literal(cipher), key: z.string().max(16) }).optional(),
  /** Time in ISO 8601. */
  takenAt: z.string(),
  serverVersion: z.string(),
  databases: z.array(z.string()).max(1000),
  collections: z.array(collectionSchema).max(10_000),
})
export type Manifest = z.infer<typeof manifestSchema>

const fileName = 'manifest.json'
const sumName = 'manifest.json.sha256'
const macName = 'manifest.json.hmac'
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Writes the manifest, last: an archive without it is incomplete. @returns its SHA-256, which is worth keeping elsewhere. */
export async function writeManifest(folder: string, manifest: Manifest, key?: NamedKey): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  if (key) await writeFile(join(folder, macName), `${macOf(text, key)}\n`, { mode: 0o600 })
  await writeFile(join(folder, fileName), text, { mode: 0o600 })
  await writeFile(join(folder, sumName), `${sumOf(text)}  ${fileName}\n`, { mode: 0o600 })
  return sumOf(text)
}

/** A backup that may be read: with its key, where it is encrypted. */
export interface Backup {
  readonly manifest: Manifest
  readonly key?: NamedKey
}

/** @throws Refusal where there is none, it was changed, its key is missing, or another version of this code has written it. */
async function readManifest(folder: string, keys: BackupKeys): Promise<Backup> {
  const read = Promise.all([fileName, sumName].map((name) => readFile(join(folder, name), 'utf8')))
  const [text = '', sum] = await read.catch(() => {
    throw new Refusal(`${folder} is no backup, or not a whole one: it lacks ${fileName} or ${sumName}.`)
  })
  if (sum?.split(' ')[0] !== sumOf(text)) throw new Refusal(`${fileName} is not what the backup has written.`)
  const value: unknown = JSON.parse(text)
  const written = z.object({ format: z.number() }).safeParse(value).data?.format
  const known = Object.values(formats)
  if (!known.some((format) => format === written))
    throw new Refusal(
      `The backup has format ${written}; this version reads ${known.join(' and ')} only. Use the code that wrote it.`,
    )
  const manifest = manifestSchema.parse(value)
  if (!manifest.encryption) return { manifest }
  const mac = await readFile(join(folder, macName), 'utf8').catch(() => '')
  return { manifest, key: keyFor(keys, { name: manifest.encryption.key, text, mac: mac.trim() }) }
}

/** Writes documents in BSON one behind the other, compressed, as mongodump does: its tools read the files too, unless they are encrypted. */
export async function writeDocuments(file: string, documents: AsyncIterable<Uint8Array>, key?: NamedKey) {
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
  const packed = Readable.from(counted())
  const sealed = (chunks: AsyncIterable<Buffer>) => (key ? encrypted(chunks, key, basename(file)) : chunks)
  await pipeline(packed, createGzip(), (chunks: AsyncIterable<Buffer>) => hashed(sealed(chunks)), target)
  return { documents: count, sha256: hash.digest('hex') }
}

/** Maximum bytes of a document: MongoDB's own limit, and its internal allowance beyond. */
const largestDocumentBytes = 16 * 1024 * 1024 + 16 * 1024

/** Reads the documents of a file one by one. @throws Refusal for a file that is cut off, or holds something else. */
export async function* readDocuments(file: string, key?: NamedKey): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  const sizeOfFirst = () => (rest.length < 4 ? Number.POSITIVE_INFINITY : rest.readInt32LE(0))
  try {
    const source: Readable = key ? Readable.from(decrypted(file, key, basename(file))) : createReadStream(file)
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

/** Reads a whole backup and compares it with its manifest. @throws Refusal naming what is missing, cut off or changed, or the key. */
export async function verifyBackup(folder: string, keys: BackupKeys = []): Promise<Backup> {
  const backup = await readManifest(folder, keys)
  const { manifest, key } = backup
  for (const { file, documents, sha256 } of manifest.collections) {
    const path = join(folder, file)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash).catch((error: unknown) => {
      throw new Refusal(`${path} cannot be read: ${error instanceof Error ? error.message : error}.`)
    })
    if (hash.digest('hex') !== sha256) throw new Refusal(`${file} is not what the backup has written.`)
    let count = 0
    for await (const _document of readDocuments(path, key)) count += 1
    if (count !== documents) throw new Refusal(`${file} holds ${count} documents, the manifest says ${documents}.`)
  }
  return backup
}
