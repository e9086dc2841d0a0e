import { expect, test } from 'vitest'
import { isAnimated } from './converted-types.ts'

test.each([
  ['VP8X', 2, true],
  ['VP8X', 16, false],
  ['VP8 ', 2, false],
] as const)('a WebP file with a first chunk %j and the flags %i moves: %s', async (chunk, flags, moves) => {
  const head = new TextEncoder().encode(`RIFF....WEBP${chunk}....`)
  const file = new File([head, new Uint8Array([flags, 0, 0])], 'wave.webp', { type: 'image/webp' })
  expect(await isAnimated(file)).toBe(moves)
})
