import { type PhotoType, photoMaxBytes, photoMaxSidePx } from '@parley/contracts/account/profile'

/** Maximum bytes of a file that the picker reads: beyond it decoding alone could exhaust a phone's memory. */
export const photoFileMaxBytes = 20 * 1024 * 1024
/** Maximum pixels that are decoded: a small file can unpack to gigabytes. */
const maxPixels = 120_000_000

/** A rectangle of the picture, in its own pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** One attempt at encoding: image type, quality 0–1 (ignored for PNG), side of the square in pixels. */
export interface Encoding {
  readonly type: PhotoType
  readonly quality: number
  readonly sidePx: number
}

export const photoMessages = {
  notImage: 'That file is not an image. Choose a PNG, JPEG, WebP or another picture.',
  tooLarge: 'That image is larger than 20 MB. Choose a smaller one.',
  tooManyPixels: 'That image has too many pixels to open here. Choose a smaller one.',
  unreadable: 'This browser cannot open that image. Save it as PNG or JPEG and try again.',
  doesNotFit: 'That image could not be made small enough. Choose a simpler one.',
} as const

/** Returns why a file is refused, before a byte of it is decoded. */
export function refuseFile({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!type.startsWith('image/')) return photoMessages.notImage
  return size > photoFileMaxBytes ? photoMessages.tooLarge : undefined
}

/** Returns why a decoded picture is refused. */
export function refusePixels(width: number, height: number): string | undefined {
  if (width < 1 || height < 1) return photoMessages.unreadable
  return width * height > maxPixels ? photoMessages.tooManyPixels : undefined
}

/** The largest centred square. */
export function centreSquare(width: number, height: number): Area {
  const side = Math.min(width, height)
  return { x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2), width: side, height: side }
}

/** A picture within one percent of square needs no crop dialog. */
export const isSquare = (width: number, height: number): boolean =>
  Math.abs(width - height) <= Math.max(width, height) / 100

/** Encodings to try for a square of this side, best picture first. Never enlarges. */
export function* encodings(sidePx: number, type: Encoding['type']): Generator<Encoding> {
  const sides = new Set([photoMaxSidePx, 384, 256, 128].map((side) => Math.max(1, Math.min(side, Math.round(sidePx)))))
  for (const side of sides) {
    for (const quality of type === 'image/png' ? [1] : [0.9, 0.8, 0.65, 0.5]) yield { type, quality, sidePx: side }
  }
}

/**
 * Encodes a square until it fits the contract. A browser that lacks WebP answers with another type: then JPEG is used,
 * or PNG where the picture has transparent parts.
 * @param sidePx side of the square in the original
 * @param encode draws and encodes once; `null` where the browser cannot
 * @throws Error with one of {@link photoMessages} where nothing fits
 */
export async function encodeToFit(
  sidePx: number,
  transparent: boolean,
  encode: (encoding: Encoding) => Promise<Blob | null>,
): Promise<Blob> {
  for (const type of ['image/webp', transparent ? 'image/png' : 'image/jpeg', 'image/jpeg'] as const) {
    for (const encoding of encodings(sidePx, type)) {
      const blob = await encode(encoding)
      if (blob?.type !== type) break
      if (blob.size <= photoMaxBytes) return blob
    }
  }
  throw new Error(photoMessages.doesNotFit)
}
