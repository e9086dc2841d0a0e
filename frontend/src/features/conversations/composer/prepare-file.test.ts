import { expect, test } from 'vitest'
import { prepareFile } from './prepare-file.ts'

/** First bytes of a WebP file of 16,383 × 16,383 pixels, by its kind (RFC 9649): of one colour it has a few kilobytes. */
function webp(chunk: 'VP8X' | 'VP8L' | 'VP8 '): File {
  const head = new Uint8Array(64)
  head.set(new TextEncoder().encode(`RIFF....WEBP${chunk}`))
  const size = {
    VP8X: [24, 0xfe, 0x3f, 0, 0xfe, 0x3f, 0],
    VP8L: [21, 0xfe, 0xbf, 0xff, 0x0f],
    'VP8 ': [26, 0xff, 0x3f, 0xff, 0x3f],
  }
  const [at = 0, ...bytes] = size[chunk]
  head.set(bytes, at)
  return new File([head], 'plain.webp', { type: 'image/webp' })
}

test.each(['VP8X', 'VP8L', 'VP8 '] as const)(
  'a picture of too many pixels is refused before it is decoded: %s',
  async (chunk) => {
    expect(await prepareFile(webp(chunk))).toBe('This picture has too many pixels. Save it smaller and attach that.')
  },
)
