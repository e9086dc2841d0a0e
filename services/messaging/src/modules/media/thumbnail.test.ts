import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { thumbnailOf } from './thumbnail.ts'

const opened = (bytes: Buffer) =>
  async function* () {
    yield bytes
  }
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#47a' } })
const sizeOf = async (small: Uint8Array | undefined) => {
  const { format, width, height } = await sharp(small).metadata()
  return { format, width, height }
}

test('a large photo is made small in a process of its own, upright', async () => {
  const photo = await blank(3000, 2000).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer()
  expect(await sizeOf(await thumbnailOf(opened(photo), 6_000_000))).toEqual({ format: 'webp', width: 320, height: 480 })
})

test('what cannot be decoded has none, here and there', async () => {
  const broken = Buffer.from('no picture')
  expect([await thumbnailOf(opened(broken), 100), await thumbnailOf(opened(broken), 40_000_000)]).toEqual([
    undefined,
    undefined,
  ])
  // Its header declares more pixels than were stated when it was stored.
  expect(await thumbnailOf(opened(await blank(3000, 2000).png().toBuffer()), 100)).toBeUndefined()
})

test('a picture that breaks off is shown as far as it goes', async () => {
  const whole = await blank(600, 300).jpeg().toBuffer()
  const small = await thumbnailOf(opened(whole.subarray(0, whole.length - 200)), 180_000)
  expect(await sizeOf(small)).toEqual({ format: 'webp', width: 480, height: 240 })
})

test('a file that cannot be read is an error, and the next picture has its turn', async () => {
  const gone = () => new Readable({ read: () => undefined }).destroy(new Error('the line is gone'))
  const [lost, found] = [thumbnailOf(gone, 100), thumbnailOf(opened(await blank(10, 10).png().toBuffer()), 100)]
  await expect(lost).rejects.toThrow('the line is gone')
  expect(await sizeOf(await found)).toMatchObject({ width: 10 })
})
