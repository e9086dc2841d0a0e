import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test('sizes are told in powers of 1000, bytes in full', () => {
  expect([1, 506, 999, 1000, 48_300, 5_240_000].map(formatBytes)).toEqual([
    '1 byte',
    '506 bytes',
    '999 bytes',
    '1 kB',
    '48 kB',
    '5.2 MB',
  ])
})
