import { type PhotoType, photoMaxBytes } from '@parley/contracts/account/profile'

const notAnImage = 'Choose a PNG, JPEG or WebP image.'
const tooLarge = 'The photo is larger than 256 KiB. Choose a smaller one.'

/**
 * Says what is wrong with a photo field, for the person who chose the photo; `undefined` where nothing is. Acceptable are
 * `""`, the session's own `picture` URL, and a base64 data URL whose bytes are an image of the type that it names.
 */
export function photoProblem(value: string, picture: string | undefined): string | undefined {
  if (value === '') return undefined
  if (picture !== undefined && value === picture && /^https?:\/\//.test(picture)) return undefined
  const [, type, base64] = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
  if (type === undefined || base64 === undefined) return notAnImage
  const bytes = Buffer.from(base64, 'base64')
  // Encoding again finds lengths and trailing bits that a strict decoder would refuse.
  if (bytes.toString('base64') !== base64) return notAnImage
  if (bytes.length > photoMaxBytes) return tooLarge
  return imageTypeOf(bytes) === type ? undefined : notAnImage
}

/** The type of an image by its bytes, not by what anyone says about it; `undefined` for anything else. */
export function imageTypeOf(bytes: Buffer): PhotoType | undefined {
  if (isPng(bytes)) return 'image/png'
  if (isJpeg(bytes)) return 'image/jpeg'
  return isWebp(bytes) ? 'image/webp' : undefined
}

const hasText = (bytes: Buffer, offset: number, ...texts: string[]): boolean =>
  texts.includes(bytes.toString('latin1', offset, offset + 4))

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Signature, then a whole IHDR chunk with a size above zero (PNG specification, sections 5.2 and 11.2.1). */
const isPng = (bytes: Buffer): boolean =>
  bytes.length >= 45 &&
  bytes.subarray(0, 8).equals(pngSignature) &&
  bytes.readUInt32BE(8) === 13 &&
  hasText(bytes, 12, 'IHDR') &&
  bytes.readUInt32BE(16) > 0 &&
  bytes.readUInt32BE(20) > 0

/** Start of image, then whole segments up to a frame header with a size above zero (ITU-T T.81, annex B). */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false
  let offset = 2
  while (offset + 9 < bytes.length && bytes[offset] === 0xff) {
    const marker = bytes.readUInt8(offset + 1)
    if (marker === 0xff) {
      offset += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return bytes.readUInt16BE(offset + 5) > 0 && bytes.readUInt16BE(offset + 7) > 0
    const isSegment = marker >= 0xc0 && marker !== 0xd8 && marker !== 0xd9 && marker !== 0xda
    if (!isSegment || (marker >= 0xd0 && marker <= 0xd7)) return false
    offset += 2 + Math.max(2, bytes.readUInt16BE(offset + 2))
  }
  return false
}

/** A RIFF container of the right length whose first chunk is one of WebP's three (RFC 9649 section 2). */
const isWebp = (bytes: Buffer): boolean =>
  bytes.length >= 30 &&
  hasText(bytes, 0, 'RIFF') &&
  bytes.readUInt32LE(4) + 8 === bytes.length &&
  hasText(bytes, 8, 'WEBP') &&
  hasText(bytes, 12, 'VP8 ', 'VP8L', 'VP8X')
