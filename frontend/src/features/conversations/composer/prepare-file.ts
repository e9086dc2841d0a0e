import { mediaLimits } from '@parley/contracts/channel/media'
import { isHeic, isWebm, isWebp } from './converted-types.ts'

/** Bytes at the start of a file in which its coding is found. */
const headBytes = 512 * 1024
/** Largest file that is converted, in bytes and pixels: decoded, a pixel takes four bytes. */
const maxBytes = 32 * 1024 * 1024
const maxPixels = 50_000_000
/** Longer side of a converted picture: WhatsApp shows no more. */
const maxSidePx = 4096
const jpegQuality = 0.9

/**
 * Returns a file as WhatsApp takes it: WebP, HEIC and pictures in print colours (CMYK) or of 16 bits as JPEG, or PNG where they are
 * transparent, and WebM sound as Ogg. Others are returned as they are.
 * @returns what to do, in words, where it cannot be converted here.
 */
export async function prepareFile(file: File): Promise<File | string> {
  if (isWebm(file)) return oggFrom(file)
  if (!isHeic(file) && !isWebp(file) && !(await hasOtherColours(file))) return file
  if (file.size > maxBytes) return 'This picture is too large to be converted. Save it as JPEG and attach that.'
  if (pixelsOf(await headOf(file)) > maxPixels) return tooManyPixels
  try {
    return await oneAtATime(() => pictureFrom(file))
  } catch {
    return isHeic(file)
      ? 'This browser cannot read HEIC pictures. Save it as JPEG (on an iPhone: Settings → Camera → Formats → Most Compatible), or attach it in Safari.'
      : 'This picture cannot be read. Save it as JPEG and attach that.'
  }
}

let last: Promise<unknown> = Promise.resolve()
/** Runs conversions one after the other: several decoded pictures at once are more than a phone has room for. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work)
  last = result.catch(() => undefined)
  return result
}

const tooManyPixels = 'This picture has too many pixels. Save it smaller and attach that.'

async function oggFrom(file: File): Promise<File | string> {
  const tooLarge = 'This recording is too large. Save it as MP3 or Ogg, in parts of 16 MB at most.'
  if (file.size > mediaLimits.audio.bytes) return isOfVideo(await headOf(file)) ? otherVideo : tooLarge
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isOfVideo(bytes.subarray(0, headBytes))) return otherVideo
  try {
    const { oggOf } = await import('@parley/ogg')
    return new File([oggOf(bytes)], renamed(file, 'ogg'), { type: 'audio/ogg' })
  } catch {
    return 'The sound of this WebM file is not Opus, which WhatsApp plays. Save it as MP3 or Ogg and attach that.'
  }
}

const otherVideo =
  'WhatsApp plays videos as MP4 (H.264), not WebM. Save it as MP4 first, with HandBrake or VLC for example, and attach that.'

/** Codecs of WebM's picture tracks, by the letters that stand in their description. */
const isOfVideo = (head: Uint8Array): boolean => /V_(VP8|VP9|AV1|MPEG)/.test(new TextDecoder('latin1').decode(head))

const headOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.slice(0, headBytes).arrayBuffer())

/** Returns whether a picture has four colours or more than eight bits, of which WhatsApp shows neither. */
async function hasOtherColours(file: File): Promise<boolean> {
  if (file.type === 'image/png') return ((await headOf(file))[24] ?? 8) > 8
  return file.type === 'image/jpeg' && componentsOf(await headOf(file)) === 4
}

/** Returns how many pixels a picture has, before it is decoded: PNG by its IHDR, WebP by RFC 9649, 2.5–2.7; others 0. */
function pixelsOf(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 30) return 0
  if (view.getUint32(0) === 0x89504e47) return view.getUint32(16) * view.getUint32(20)
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return 0
  const chunk = String.fromCharCode(...head.subarray(12, 16))
  const of24Bits = (at: number) => view.getUint32(at - 1, true) >>> 8
  if (chunk === 'VP8X') return (1 + of24Bits(24)) * (1 + of24Bits(27))
  if (chunk === 'VP8 ') return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff)
  const bits = view.getUint32(21, true)
  return chunk === 'VP8L' ? (1 + (bits & 0x3fff)) * (1 + ((bits >>> 14) & 0x3fff)) : 0
}

/** Returns the number of colours of a JPEG file, by the frame before its pixels (ITU T.81, B.2.2). */
function componentsOf(head: Uint8Array): number | undefined {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; ) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return head[at + 9]
    at += 2 + (head[at + 2] ?? 0) * 256 + (head[at + 3] ?? 0)
  }
  return undefined
}

async function pictureFrom(file: File): Promise<File | string> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = bitmap
    if (width * height > maxPixels) return tooManyPixels
    const scale = Math.min(1, maxSidePx / Math.max(width, height))
    const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('there is no canvas')
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    if (isTransparent(bitmap)) {
      const png = await canvas.convertToBlob({ type: 'image/png' })
      if (png.size <= mediaLimits.image.bytes) return new File([png], renamed(file, 'png'), { type: 'image/png' })
      // Its transparent parts would be black.
      context.globalCompositeOperation = 'destination-over'
      context.fillStyle = 'white'
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
    return new File([jpeg], renamed(file, 'jpg'), { type: 'image/jpeg' })
  } finally {
    bitmap.close()
  }
}

/** Looks at a small copy: transparent parts of a picture are larger than a point. */
function isTransparent(bitmap: ImageBitmap): boolean {
  const side = 64
  const context = new OffscreenCanvas(side, side).getContext('2d')
  context?.drawImage(bitmap, 0, 0, side, side)
  const pixels = context?.getImageData(0, 0, side, side).data ?? []
  return pixels.some((value, index) => index % 4 === 3 && value < 255)
}

const renamed = ({ name }: File, ending: string): string => `${name.replace(/\.[^.]*$/, '')}.${ending}`
