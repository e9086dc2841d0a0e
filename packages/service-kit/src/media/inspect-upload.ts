import { Readable } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { imageDimensionsFromData } from 'image-dimensions'
import { AppError, errors } from '../core/errors.ts'
import type { Upload } from './media-store.ts'

/** The start of a file, in which its type and an image's dimensions are found; cameras write long notes before the latter. */
const headBytes = 512 * 1024
/** Beyond these an image of a few bytes would fill the memory of whoever decodes it. */
const mostPixels = 50_000_000
const longestSidePx = 16_384

interface Inspected {
  readonly type: string
  readonly widthPx?: number
  readonly heightPx?: number
  /** All bytes of the upload; more than its limit end it with `body_too_large`. */
  readonly content: Readable
}

/**
 * Finds out what an upload is by its first bytes.
 * @throws `unsupported_media_type` where that is not accepted, `validation_failed` for an image that cannot be measured or is
 * too large to be decoded.
 */
export async function inspectUpload({ content, accept, limitBytes }: Upload): Promise<Inspected> {
  const chunks = boundedChunks(content, limitBytes)
  const head = await readHead(chunks)
  const type = (await fileTypeFromBuffer(head))?.mime.split(';')[0] ?? 'unknown'
  if (!accept.includes(type)) {
    content.destroy()
    throw new AppError('unsupported_media_type', `This kind of file cannot be stored. Send ${accept.join(', ')}.`)
  }
  return {
    type,
    ...(type.startsWith('image/') && measure(head)),
    content: Readable.from(followedBy(head, chunks), { objectMode: false }),
  }
}

async function* boundedChunks(content: Readable, limitBytes: number): AsyncGenerator<Buffer> {
  let seenBytes = 0
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    seenBytes += bytes.length
    if (seenBytes > limitBytes) throw errors.bodyTooLarge(limitBytes)
    yield bytes
  }
}

async function readHead(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  const head: Buffer[] = []
  let size = 0
  while (size < headBytes) {
    const next = await chunks.next()
    if (next.done === true) break
    head.push(next.value)
    size += next.value.length
  }
  return Buffer.concat(head)
}

async function* followedBy(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}

function measure(head: Buffer): { widthPx: number; heightPx: number } {
  const size = imageDimensionsFromData(head)
  if (!size) throw errors.validation({ file: 'This image cannot be read.' })
  const { width, height } = size
  if (width * height > mostPixels || Math.max(width, height) > longestSidePx) {
    throw errors.validation({ file: `This image is too large: ${width} × ${height} pixels.` })
  }
  return { widthPx: width, heightPx: height }
}
