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
 * Finds out what an upload is by its first bytes. Where any file is accepted, an image that cannot be measured or is too large to
 * be decoded is a file of unknown type: nobody decodes it.
 * @throws `unsupported_media_type` where its type is not accepted, `validation_failed` for such an image where images are asked for.
 */
export async function inspectUpload({ content, accept, limitBytes }: Upload): Promise<Inspected> {
  const limit = { bytes: typeof limitBytes === 'number' ? limitBytes : Number.POSITIVE_INFINITY }
  const chunks = boundedChunks(content, limit)
  const head = await readHead(chunks)
  const type = (await fileTypeFromBuffer(head))?.mime.split(';')[0] ?? (isText(head) ? 'text/plain' : unknownType)
  if (typeof limitBytes === 'function') limit.bytes = limitBytes(type)
  if (head.length > limit.bytes) throw errors.bodyTooLarge(limit.bytes)
  if (accept !== 'any' && !accept.includes(type)) {
    content.destroy()
    throw new AppError('unsupported_media_type', `This kind of file cannot be stored. Send ${accept.join(', ')}.`)
  }
  const whole = Readable.from(followedBy(head, chunks), { objectMode: false })
  if (!type.startsWith('image/')) return { type, content: whole }
  const size = imageDimensionsFromData(head)
  if (size && !isTooLarge(size)) return { type, widthPx: size.width, heightPx: size.height, content: whole }
  if (accept === 'any') return { type: unknownType, content: whole }
  const problem = size ? `is too large: ${size.width} × ${size.height} pixels` : 'cannot be read'
  throw errors.validation({ file: `This image ${problem}.` })
}

const unknownType = 'application/octet-stream'

/** Text has no mark of its own: it is valid UTF-8 without control characters. The end may have cut a character in two. */
function isText(head: Buffer): boolean {
  if (head.length === 0 || head.some((byte) => byte < 32 && ![9, 10, 12, 13].includes(byte))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** @param limit may be set while the file is read: what was read by then is checked against it too. */
async function* boundedChunks(content: Readable, limit: { readonly bytes: number }): AsyncGenerator<Buffer> {
  let seenBytes = 0
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    seenBytes += bytes.length
    if (seenBytes > limit.bytes) throw errors.bodyTooLarge(limit.bytes)
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

const isTooLarge = ({ width, height }: { readonly width: number; readonly height: number }): boolean =>
  width * height > mostPixels || Math.max(width, height) > longestSidePx
