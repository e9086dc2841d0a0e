import { expect, test } from 'vitest'
import { chosen, monthsAt } from './kept-months.ts'

const at = new Date('2026-05-01T10:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

test('a shorter time holds after a week, a longer one at once', () => {
  const shorter = chosen({ months: null }, 12, at)
  expect(shorter).toEqual({ months: null, next: { months: 12, from: later(7) } })
  expect([monthsAt(shorter, later(6.9)), monthsAt(shorter, later(7))]).toEqual([null, 12])
  expect(chosen({ months: 6 }, 12, at)).toEqual({ months: 12 })
  expect(chosen({ months: 6 }, null, at)).toEqual({ months: null })
})

test('what waits is taken back by the choice that holds, and a still shorter time waits anew', () => {
  const waiting = chosen({ months: 12 }, 6, at)
  expect(chosen(waiting, 12, later(2))).toEqual({ months: 12 })
  expect(chosen(waiting, 3, later(5))).toEqual({ months: 12, next: { months: 3, from: later(12) } })
  expect(chosen(waiting, 3, later(8))).toEqual({ months: 6, next: { months: 3, from: later(15) } })
})
