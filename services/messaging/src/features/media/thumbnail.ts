import type { Readable } from 'node:stream'
import sharp from 'sharp'

const longestSidePx = 480
/** What the media store takes at most. */
const mostPixels = 50_000_000

// Pictures are shrunk one at a time: each may need hundreds of megabytes for a moment.
sharp.concurrency(1)
sharp.cache(false)

/** A small WebP of a picture, upright, without what the camera wrote into it. */
export function thumbnailOf(picture: Readable): Readable {
  const shrink = sharp({ limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    .rotate()
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
  picture.on('error', (error) => shrink.destroy(error))
  return picture.pipe(shrink)
}
