import { expect, test } from 'vitest'
import { imageTypeOf, photoProblem } from './photo.ts'

const fromBase64 = (text: string) => Buffer.from(text, 'base64')
const png = fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)
const webpLossy = fromBase64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const webpLossless = fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')
const segment = (marker: number, content: readonly number[]) => [0xff, marker, 0, content.length + 2, ...content]
const frame = (width: number, height: number) => segment(0xc0, [8, 0, height, 0, width, 1, 1, 0x11, 0])
const jfif = segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0])
const jpegOf = (...parts: number[][]) => Buffer.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9])
const jpeg = jpegOf(jfif, segment(0xdb, Array(65).fill(1)), frame(1, 1))

test.each([
  ['a PNG', png, 'image/png'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a JPEG with padding between segments', jpegOf(jfif, [0xff, 0xff], frame(2, 2)), 'image/jpeg'],
  ['a lossy WebP', webpLossy, 'image/webp'],
  ['a lossless WebP', webpLossless, 'image/webp'],
])('%s is known by its bytes', (_name, bytes, type) => {
  expect(imageTypeOf(bytes)).toBe(type)
  expect(photoProblem(`data:${type};base64,${bytes.toString('base64')}`, undefined)).toBeUndefined()
})

const changed = (bytes: Buffer, offset: number, ...values: number[]) => {
  const copy = Buffer.from(bytes)
  copy.set(values, offset)
  return copy
}

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a PNG signature alone', png.subarray(0, 8)],
  ['a PNG cut within its header', png.subarray(0, 30)],
  ['a PNG of no width', changed(png, 16, 0, 0, 0, 0)],
  ['a PNG whose first chunk is another', changed(png, 12, 0x49, 0x44, 0x41, 0x54)],
  ['a JPEG start alone', jpeg.subarray(0, 3)],
  ['a JPEG without a frame', jpegOf(jfif)],
  ['a JPEG cut before its frame', jpeg.subarray(0, jpeg.length - 10)],
  ['a JPEG of no height', jpegOf(jfif, frame(1, 0))],
  [
    'a script behind a JPEG start',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')]),
  ],
  ['a WebP of another length', webpLossy.subarray(0, webpLossy.length - 2)],
  ['a RIFF that is sound', changed(webpLossy, 8, ...Buffer.from('WAVE'))],
  ['a WebP of an unknown kind', changed(webpLossy, 12, ...Buffer.from('VP9 '))],
  ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
  ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
])('%s is no photo', (_name, bytes) => {
  expect(imageTypeOf(bytes)).toBeUndefined()
})
