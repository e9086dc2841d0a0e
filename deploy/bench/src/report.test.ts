import { expect, test } from 'vitest'
import { percentile } from './auth/statistics.ts'
import { recordOf } from './report.ts'

test('a metric has its goal and whether it is met, whichever way the goal goes', () => {
  const fast = { name: 'fast', values: [3, 1, 2], goal: { atLeast: 2 } }
  expect(recordOf(fast)).toEqual({ name: 'fast', value: 2, goal: 2, met: true })
  expect(recordOf({ ...fast, goal: { atMost: 1.5 } })).toMatchObject({ goal: 1.5, met: false })
  expect(recordOf({ name: 'for information', values: [7] })).toMatchObject({ value: 7, goal: null, met: null })
})

test('a percentile is a value that was measured', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile([4], 0.95)]).toEqual([50, 95, 4])
})
