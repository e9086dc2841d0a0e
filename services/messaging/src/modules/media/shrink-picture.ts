import { buffer } from 'node:stream/consumers'
import type { OpenSource } from '@parley/service-kit/core/run-in-child'
import sharp from 'sharp'

const maxSidePx = 480

// Threads within one picture.
sharp.concurrency(1)
sharp.cache(false)

/**
 * A small WebP of a picture, upright, without what the camera wrote into it; of one that breaks off, as far as it goes.
 * @throws where it cannot be decoded, or has more pixels.
 */
export function shrink(picture: Uint8Array, maxPixels: number): Promise<Buffer> {
  return sharp(picture, { limitInputPixels: maxPixels, failOn: 'none', sequentialRead: true })
    .rotate()
    .resize({ width: maxSidePx, height: maxSidePx, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer()
}

/** The work of a child process. */
export default async function work({ maxPixels }: { maxPixels: number }, open: OpenSource): Promise<Uint8Array> {
  return shrink(await buffer(open()), maxPixels)
}
