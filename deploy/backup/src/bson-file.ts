import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Refusal } from './refusal.ts'

/** MongoDB's own limit of a document, and what it allows itself beyond. */
const largestDocumentBytes = 16 * 1024 * 1024 + 16 * 1024

interface FileFacts {
  readonly documents: number
  /** Of the compressed file. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** Writes documents in BSON one behind the other, compressed: what mongodump writes too, so that its tools read it. */
export async function writeDocuments(file: string, documents: AsyncIterable<Uint8Array>): Promise<FileFacts> {
  let count = 0
  async function* counted() {
    for await (const document of documents) {
      count += 1
      yield document
    }
  }
  const facts = measuring()
  await pipeline(
    Readable.from(counted(), { objectMode: true }),
    createGzip(),
    facts.stream,
    createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }),
  )
  return { documents: count, ...facts.result() }
}

/**
 * Reads the documents of a file one by one.
 * @throws Refusal for a file that is cut off or holds something else than documents.
 */
export async function* readDocuments(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of createReadStream(file).pipe(createGunzip())) {
      rest = Buffer.concat([rest, chunk])
      for (let size = sizeOf(rest); size !== undefined && rest.length >= size; size = sizeOf(rest)) {
        yield rest.subarray(0, size)
        rest = rest.subarray(size)
      }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${file} cannot be read: ${describe(error)}.`)
  }
  if (rest.length > 0) throw new Refusal(`${file} ends in the middle of a document.`)
}

/** Looks at a whole file without keeping it. @throws Refusal as {@link readDocuments}. */
export async function inspectFile(file: string): Promise<FileFacts> {
  const facts = measuring()
  await pipeline(createReadStream(file), facts.stream, async (stream) => {
    for await (const _chunk of stream);
  }).catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read: ${describe(error)}.`)
  })
  let documents = 0
  for await (const _document of readDocuments(file)) documents += 1
  return { documents, ...facts.result() }
}

function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined
  const size = bytes.readInt32LE(0)
  if (size < 5 || size > largestDocumentBytes) throw new Refusal(`a document of ${size} bytes cannot be`)
  return size
}

/** Passes bytes on; tells their number and sum afterwards. */
function measuring() {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      sizeBytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ sha256: hash.digest('hex'), sizeBytes }) }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error))
