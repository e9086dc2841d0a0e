import { expect, test } from 'vitest'
import { atMost } from './team-report.service.ts'

const times = (counts: Readonly<Record<number, number>>) => Array.from({ length: 12 }, (_, place) => counts[place] ?? 0)

test.each([
  [times({ 0: 1 }), 0.5, 60],
  [times({ 0: 5, 3: 5 }), 0.5, 60],
  [times({ 0: 4, 3: 5 }), 0.5, 600],
  [times({ 2: 95, 10: 5 }), 0.95, 300],
  [times({ 2: 94, 10: 6 }), 0.95, 86_400],
  [times({ 2: 9, 11: 1 }), 0.95, null],
])('of %j the share %d took at most %s seconds', (counts, share, seconds) => {
  expect(atMost(counts, share)).toEqual({ atMostSeconds: seconds })
})
