import { expect, test } from 'vitest'
import { creditBarOf, creditsStat } from './live-credits.ts'

const credits = { limit: 1000, used: 300, held: 0, left: 700 }
const usage = { from: '2026-11-20', endsAt: '2026-12-09T00:00:00Z', credits }
const days = [
  { date: '2026-11-23', credits: 100, messages: 120 },
  { date: '2026-11-24', credits: 0, messages: 5 },
  { date: '2026-11-25', credits: 50, messages: 60 },
]
const valuesOf = (stat: ReturnType<typeof creditsStat>) => stat.series.points.map(({ value }) => value)

test('the course of the credits ends at what is left, and today is what changed since yesterday', () => {
  const stat = creditsStat(usage, days)
  expect([stat.value, stat.trend.change]).toEqual([700, -50])
  // 150 were used before the days that are shown.
  expect(valuesOf(stat)).toEqual([850, 750, 750, 700])
})

test('what campaigns hold is not left', () => {
  const stat = creditsStat({ ...usage, credits: { ...credits, held: 200, left: 500 } }, days)
  expect([stat.value, valuesOf(stat).at(-1)]).toEqual([500, 500])
})

test('a first day has a line, and a period without a day one too', () => {
  expect(valuesOf(creditsStat(usage, days.slice(-1)))).toEqual([750, 700])
  expect(valuesOf(creditsStat(usage, []))).toEqual([700, 700])
})

test('there is no bar where nothing is limited', () => {
  const all = {
    ...usage,
    plan: 'Starter',
    price: { amount: 0, currency: 'INR' },
    choosable: false,
    to: '2026-12-09',
    messages: credits,
    renews: true,
    ended: false,
  }
  expect(creditBarOf({ ...all, limited: true })).toEqual({ used: 300, limit: 1000, resetsAt: usage.endsAt })
  expect(creditBarOf({ ...all, limited: false })).toBeUndefined()
})
