import { expect, test } from 'vitest'
import { measurement, medianOf, spreadOf } from './measurement.ts'

test('a goal is met up to a ratio of 1', () => {
  expect(measurement('restart', 4, 5)).toEqual({ name: 'restart', seconds: 4, goal: 5, ratio: 0.8 })
  expect(measurement('restart', 7.5, 5).ratio).toBe(1.5)
})

test('the median is the middle one, or lies between the two', () => {
  expect(medianOf([9, 1, 2])).toBe(2)
  expect(medianOf([4, 1, 2, 9])).toBe(3)
})

test('the spread names shortest, longest and how many', () => {
  expect(spreadOf([5, 4.06, 4.5])).toBe('4.1–5.0 s (3 times)')
})
