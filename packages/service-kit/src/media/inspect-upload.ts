import { Readable } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { imageDimensionsFromData } from 'image-dimensions'
import { AppError, errors } from '../core/errors.ts'
import { isTurnedIn, readJpegHead } from './jpeg-head.ts'
import type { FoundMedia, MediaTraits, Upload } from './media-store.ts'
import { createTrackReader } from './mp4-tracks.ts'

/** Bytes at the start of a file in which its type and an image's dimensions are found. */
const headBytes = 512 * 1024
/** A photo's frame may come after notes of some megabytes: each has 64 KiB at most, but there may be any number. */
const maxHeadBytes = 6 * 1024 * 1024
/** Limit above which an image of a few bytes would fill the memory of its decoder. */
const maxPixels = 50_000_000
const maxSidePx = 16_384

interface Inspected {
  readonly widthPx?: number
  readonly heightPx?: number
  /** All bytes of the upload; more than its limit end it with `body_too_large`. */
  readonly content: Readable
  /**
   * Returns what it is, once all of it was read.
   * @throws what {@link inspectUpload} throws.
   */
  readonly atEnd: () => FoundMedia
}

/**
 * Determines what an upload is by its first bytes; what MP4 and 3GPP files are by their tracks, which may stand at the end. Where
 * any file is accepted, an image that cannot be measured or is too large to be decoded is a file of unknown type: it is never
 * decoded.
 * @throws `unsupported_media_type` where its type is not accepted, `validation_failed` for such an image where images are asked
 * for.
 */
export async function inspectUpload({ content, accept, limitBytes, check }: Upload): Promise<Inspected> {
  const limit = { bytes: typeof limitBytes === 'number' ? limitBytes : Number.POSITIVE_INFINITY }
  const chunks = boundedChunks(content, limit)
  const { head, type } = await readStart(chunks)
  const traits = traitsOf(type, head)
  if (typeof limitBytes === 'function') limit.bytes = limitBytes(type, traits)
  if (head.length > limit.bytes) throw errors.bodyTooLarge(limit.bytes)
  const accepted = (found: FoundMedia): FoundMedia => {
    if (accept !== 'any' && !accept.includes(found.type)) {
      const message = `This kind of file cannot be stored. Send ${accept.join(', ')}.`
      throw new AppError('unsupported_media_type', message)
    }
    check?.(found)
    return found
  }
  const whole = followedBy(head, chunks)
  try {
    if (holdsTracks(type)) {
      const reader = createTrackReader()
      const watched = Readable.from(passing(whole, reader.push), { objectMode: false })
      return { content: watched, atEnd: () => accepted(byTracks(type, reader.tracks())) }
    }
    const found = accepted({ type, traits })
    const stream = Readable.from(whole, { objectMode: false })
    if (!type.startsWith('image/')) return { content: stream, atEnd: () => found }
    const size = sizeOf(type, head)
    if (size && !isTooLarge(size)) return { ...size, content: stream, atEnd: () => found }
    if (accept === 'any') return { content: stream, atEnd: () => ({ type: unknownType, traits: {} }) }
    const problem = size ? `is too large: ${size.widthPx} × ${size.heightPx} pixels` : 'cannot be read'
    throw errors.validation({ file: `This image ${problem}.` })
  } catch (error) {
    content.destroy()
    throw error
  }
}

const unknownType = 'application/octet-stream'

/** Reads until the file's type is known, and the frame of a photo. */
async function readStart(chunks: AsyncGenerator<Buffer>): Promise<{ head: Buffer; type: string }> {
  let head = await readUpTo(headBytes, chunks)
  const type = await typeOf(head)
  while (type === 'image/jpeg' && head.length < maxHeadBytes && readJpegHead(head) === 'incomplete') {
    const more = await readUpTo(headBytes, chunks)
    if (more.length === 0) break
    head = Buffer.concat([head, more])
  }
  return { head, type }
}

async function typeOf(head: Buffer): Promise<string> {
  const type = (await fileTypeFromBuffer(head))?.mime.split(';')[0]
  // Formats begin with letters that a text may begin with too: but each has control characters soon after.
  if (type !== undefined && !(hasNoControls(head) && !isWritten(type, head))) return type
  return isText(head) ? 'text/plain' : unknownType
}

/** Returns whether files of a type are text. */
const isWritten = (type: string, head: Buffer): boolean =>
  type === 'application/pdf'
    ? /^%PDF-\d/.test(head.toString('latin1', 0, 7))
    : /^text\/|xml$|^application\/(rtf|postscript|eps|pgp-encrypted|x-ms-regedit)$/.test(type)

const hasNoControls = (head: Buffer): boolean => head.every((byte) => byte >= 32 || [9, 10, 12, 13].includes(byte))

/** Text has no mark of its own: it is valid UTF-8 without control characters. The end may have cut a character in two. */
function isText(head: Buffer): boolean {
  if (head.length === 0 || !hasNoControls(head)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

const trackTypes = /^(video\/(mp4|x-m4v|3gpp2?)|audio\/(mp4|x-m4a))$/
const holdsTracks = (type: string): boolean => trackTypes.test(type)

/** Determines the type by the tracks: the brand of a file does not tell whether it is a film. */
function byTracks(type: string, tracks: ReturnType<ReturnType<typeof createTrackReader>['tracks']>): FoundMedia {
  if (!tracks || tracks.video.length + tracks.audio.length === 0) return { type, traits: {} }
  const traits = { videoCodecs: tracks.video, audioCodecs: tracks.audio }
  const container = type.split('/')[1]?.startsWith('3gpp') ? type.split('/')[1] : 'mp4'
  if (tracks.video.length > 0) return { type: `video/${container}`, traits }
  return { type: type === 'audio/x-m4a' ? type : `audio/${container}`, traits }
}

function traitsOf(type: string, head: Buffer): MediaTraits {
  if (type === 'audio/ogg' || type === 'video/ogg') return { audioCodecs: [oggCodecOf(head)] }
  if (type === 'image/png' && head.length > 25) return { bitsPerSample: head[24] ?? 8 }
  // The flags of an extended file follow its first chunk's name and length (RFC 9649).
  if (type === 'image/webp')
    return { isAnimated: head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0 }
  const jpeg = type === 'image/jpeg' ? readJpegHead(head) : undefined
  if (typeof jpeg !== 'object') return {}
  return { bitsPerSample: jpeg.bitsPerSample, ...(jpeg.components === 4 && { colours: 'cmyk' as const }) }
}

/**
 * Reads the codec from the first packet of the first stream, which follows a page's header and its table of lengths (RFC 3533).
 */
function oggCodecOf(head: Buffer): string {
  const packet = head.toString('latin1', 27 + (head[26] ?? 0), 27 + (head[26] ?? 0) + 8)
  const known = { OpusHead: 'opus', '\u0001vorbis': 'vorbis', '\u007fFLAC': 'flac', Speex: 'speex' }
  return Object.entries(known).find(([start]) => packet.startsWith(start))?.[1] ?? 'other'
}

function sizeOf(type: string, head: Buffer): { widthPx: number; heightPx: number } | undefined {
  const jpeg = type === 'image/jpeg' ? readJpegHead(head) : undefined
  if (typeof jpeg === 'object') return { widthPx: jpeg.widthPx, heightPx: jpeg.heightPx }
  const size = imageDimensionsFromData(head)
  if (!size) return undefined
  const isTurned = type === 'image/png' && isTurnedPng(head)
  return isTurned ? { widthPx: size.height, heightPx: size.width } : { widthPx: size.width, heightPx: size.height }
}

/** A PNG has its Exif before its pixels, if at all. */
function isTurnedPng(head: Buffer): boolean {
  for (let at = 8; at + 8 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const name = head.toString('latin1', at + 4, at + 8)
    if (name === 'eXIf') return isTurnedIn(head.subarray(at + 8, at + 8 + head.readUInt32BE(at)))
    if (name === 'IDAT') return false
  }
  return false
}

/** @param limit may be set while the file is read: the bytes read by then are checked against it too. */
async function* boundedChunks(content: Readable, limit: { readonly bytes: number }): AsyncGenerator<Buffer> {
  let seenBytes = 0
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    seenBytes += bytes.length
    if (seenBytes > limit.bytes) throw errors.bodyTooLarge(limit.bytes)
    yield bytes
  }
}

async function readUpTo(maxBytes: number, chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  const head: Buffer[] = []
  let size = 0
  while (size < maxBytes) {
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

async function* passing(content: AsyncIterable<Buffer>, seen: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    seen(chunk)
    yield chunk
  }
}

const isTooLarge = ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): boolean =>
  widthPx * heightPx > maxPixels || Math.max(widthPx, heightPx) > maxSidePx
