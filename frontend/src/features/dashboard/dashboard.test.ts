import { expect, test } from 'vitest'
import { creditsRemaining, creditsUsedPercent, resetText } from './credits.ts'
import { activityLink } from './recent-activity.tsx'
import { sparklinePath, trendText } from './stat-cards.tsx'

const now = new Date('2026-03-08T22:15:00.000Z')

test.each([
  ['2026-03-10T00:00:00.000Z', 'resets in 2 days'],
  ['2026-03-09T22:15:00.000Z', 'resets in 1 day'],
  ['2026-03-08T22:15:00.000Z', 'resets today'],
  ['2026-03-01T00:00:00.000Z', 'resets today'],
])('a reset at %s reads %j', (resetsAt, text) => expect(resetText({ resetsAt }, now)).toBe(text))

test('overdrawn credits leave none and fill the bar', () => {
  expect(creditsRemaining({ used: 26_000, limit: 25_000 })).toBe(0)
  expect(creditsUsedPercent({ used: 26_000, limit: 25_000 })).toBe(100)
  expect(creditsUsedPercent({ used: 6_580, limit: 25_000 })).toBeCloseTo(26.32)
})

test.each([
  [{ change: 12.5, unit: 'percent', since: 'last_month' }, '12.5% more than last month'],
  [{ change: -3, unit: 'percent', since: 'yesterday' }, '3% less than yesterday'],
  [{ change: 2.1, unit: 'points', since: 'last_month' }, '2.1 points above last month'],
  [{ change: -410, unit: 'count', since: 'yesterday' }, '410 fewer than yesterday'],
  [{ change: 1, unit: 'count', since: 'last_week' }, '1 more than last week'],
  [{ change: 0, unit: 'count', since: 'yesterday' }, 'Same as yesterday'],
  [{ change: null, unit: 'percent', since: 'last_month' }, 'New: nothing to compare with last month'],
] as const)('the trend %j reads %j', (trend, text) => expect(trendText(trend, 'en')).toBe(text))

test.each([
  ['conversation', '/conversations?id=a1'],
  ['campaign', '/broadcasts?id=a1'],
  ['bot', '/bots?bot=a1'],
] as const)('activity about a %s leads to it', (kind, address) =>
  expect(activityLink({ object: { kind, id: 'a1', name: 'Asha' } })).toBe(address),
)

test('what is left of the credits never looks like nothing', () => {
  expect(sparklinePath([20, 18], { width: 10, height: 4, from: 0 }).line).toBe('M0 0L10 0.4')
})

test('a sparkline spans its box; a flat one runs through the middle; one value draws nothing', () => {
  expect(sparklinePath([1, 3, 2], { width: 10, height: 4 })).toEqual({
    line: 'M0 4L5 0L10 2',
    area: 'M0 4L5 0L10 2L10 4L0 4Z',
  })
  expect(sparklinePath([5, 5], { width: 10, height: 4 }).line).toBe('M0 2L10 2')
  expect(sparklinePath([5], { width: 10, height: 4 })).toEqual({ line: '', area: '' })
})
