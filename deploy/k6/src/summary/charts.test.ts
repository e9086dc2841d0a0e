import { expect, test } from 'vitest'
import { niceCeiling } from './charts.ts'

test.each([
  [0, 1],
  [0.013, 0.02],
  [7, 10],
  [12, 20],
  [24, 25],
  [734, 1000],
])('an axis for %d ends at %d', (value, end) => expect(niceCeiling(value)).toBeCloseTo(end))
