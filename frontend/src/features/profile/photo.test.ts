import { photoMaxBytes, photoMaxSidePx } from '@parley/contracts/account/profile'
import { expect, test } from 'vitest'
import {
  centreSquare,
  type Encoding,
  encodeToFit,
  encodings,
  isSquare,
  photoFileMaxBytes,
  photoMessages,
  refuseFile,
  refusePixels,
} from './photo.ts'

const blob = (type: string, sizeBytes: number) => new Blob([new Uint8Array(sizeBytes)], { type })

test('a file is refused by type and by size before it is decoded', () => {
  expect(refuseFile({ type: 'application/pdf', size: 10 })).toBe(photoMessages.notImage)
  expect(refuseFile({ type: '', size: 10 })).toBe(photoMessages.notImage)
  expect(refuseFile({ type: 'image/heic', size: photoFileMaxBytes + 1 })).toBe(photoMessages.tooLarge)
  expect(refuseFile({ type: 'image/heic', size: photoFileMaxBytes })).toBeUndefined()
})

test('a picture without size or with too many pixels is refused', () => {
  expect(refusePixels(0, 10)).toBe(photoMessages.unreadable)
  expect(refusePixels(20_000, 20_000)).toBe(photoMessages.tooManyPixels)
  expect(refusePixels(8000, 6000)).toBeUndefined()
})

test('the automatic crop is the largest centred square', () => {
  expect(centreSquare(300, 200)).toEqual({ x: 50, y: 0, width: 200, height: 200 })
  expect(centreSquare(201, 301)).toEqual({ x: 0, y: 50, width: 201, height: 201 })
})

test('a picture counts as square within one percent', () => {
  expect(isSquare(500, 500)).toBe(true)
  expect(isSquare(1000, 992)).toBe(true)
  expect(isSquare(500, 480)).toBe(false)
})

test('no encoding is larger than the picture or the contract', () => {
  const sides = (sidePx: number) => [
    ...new Set([...encodings(sidePx, 'image/webp')].map((encoding) => encoding.sidePx)),
  ]
  expect(sides(4000)).toEqual([photoMaxSidePx, 384, 256, 128])
  expect(sides(300)).toEqual([300, 256, 128])
  expect(sides(40)).toEqual([40])
})

test('quality falls first, then the side, until the photo fits', async () => {
  const tried: Encoding[] = []
  const result = await encodeToFit(2000, false, async (encoding) => {
    tried.push(encoding)
    return blob(encoding.type, encoding.sidePx === 384 && encoding.quality < 0.85 ? photoMaxBytes : photoMaxBytes + 1)
  })
  expect(result.size).toBe(photoMaxBytes)
  expect(tried.map(({ sidePx, quality }) => [sidePx, quality])).toEqual([
    [512, 0.9],
    [512, 0.8],
    [512, 0.65],
    [512, 0.5],
    [384, 0.9],
    [384, 0.8],
  ])
})

test.each([
  [false, 'image/jpeg'],
  [true, 'image/png'],
])('without WebP a picture with transparency %s becomes %s', async (transparent, type) => {
  const result = await encodeToFit(512, transparent, async (encoding) =>
    encoding.type === 'image/webp' ? blob('image/png', 10) : blob(encoding.type, 10),
  )
  expect(result.type).toBe(type)
})

test('a transparent picture that is too large as PNG falls back to JPEG', async () => {
  const result = await encodeToFit(512, true, async ({ type }) =>
    type === 'image/webp' ? null : blob(type, type === 'image/png' ? photoMaxBytes + 1 : 10),
  )
  expect(result.type).toBe('image/jpeg')
})

test('a picture that never fits says so', async () => {
  await expect(encodeToFit(512, false, async () => null)).rejects.toThrow(photoMessages.doesNotFit)
})
