import { once } from 'node:events'
import { pipeline, type Readable, Transform } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fileDeleted } from '../media/file-contents.ts'

/** Part of a file, in bytes; `end` belongs to it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Result of a handler of `responseType: 'stream'`. */
export interface FileAnswer {
  /** Media type, as checked when the file was stored. */
  readonly type: string
  /** Absent for a file that is made while it is sent: it has no ranges. */
  readonly sizeBytes?: number
  /** Opens the whole file, or a part of it. Not called where the caller's copy is still good. */
  readonly open: (range?: ByteRange) => Readable
  readonly fileName?: string
  /** Display in the page, or download, which is the default. */
  readonly disposition?: 'inline' | 'attachment'
  /** ETag that changes with the content, without quotes. Callers keep a copy and ask whether it is still good. */
  readonly etag?: string
}

/**
 * Sends a file, or the part of it that `Range` asks for. What people have uploaded is not trusted: no type is guessed from
 * the content, and where a browser opens it as a page it runs no script and loads nothing.
 * @throws `not_found` for one that is deleted at this moment, whatever `open` fails with before its first byte.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): Promise<void> {
  const { etag, sizeBytes, disposition = 'attachment' } = file
  const isGood = etag !== undefined && isKnown(request.headers['if-none-match'], etag)
  const range = isGood || sizeBytes === undefined ? undefined : readRange(request.headers.range, sizeBytes)
  const content = isGood || range === 'unsatisfiable' ? undefined : await opened(file, range)
  reply.headers({
    'content-disposition': contentDisposition(file.fileName, { type: disposition }),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': sizeBytes === undefined ? 'none' : 'bytes',
    'cache-control': etag === undefined ? 'no-store' : 'private, no-cache',
    ...(etag !== undefined && { etag: `"${etag}"` }),
  })
  if (isGood) reply.code(304)
  else if (range === 'unsatisfiable') reply.code(416).header('content-range', `bytes */${sizeBytes}`)
  else {
    reply.type(file.type)
    if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
    if (sizeBytes !== undefined) reply.header('content-length', lengthOf(range, sizeBytes))
  }
  reply.send(content)
}

const lengthOf = (range: ByteRange | undefined, sizeBytes: number): number =>
  range ? range.end - range.start + 1 : sizeBytes

/** Returns the content once its first bytes are there: until then another answer is possible. */
async function opened({ open, sizeBytes }: FileAnswer, range: ByteRange | undefined): Promise<Readable> {
  const content = sizeBytes === undefined ? open() : whole(open(range), lengthOf(range, sizeBytes))
  await once(content, 'readable')
  return content
}

/**
 * The same content, or an error where it ends early: one that is deleted while it is read may end without any, and the caller
 * would wait for the rest of the length that was announced.
 */
function whole(content: Readable, sizeBytes: number): Readable {
  let left = sizeBytes
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      left -= chunk.length
      done(null, chunk)
    },
    flush: (done) => done(left > 0 ? fileDeleted() : null),
  })
  // The stream itself reports an error to its reader.
  return pipeline(content, counted, () => undefined)
}

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === `"${etag}"`)

/** Parses one range of bytes (RFC 9110 section 14). Several at once, and ranges that are not understood, get the whole file. */
function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
