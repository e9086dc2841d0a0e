import { expect, test } from 'vitest'
import { editBudget } from './template-edits.ts'

const now = new Date('2026-03-31T12:00:00.000Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3600_000).toISOString()
const day = 24

test('a template that was not changed can be, ten times', () => {
  expect(editBudget([], now)).toEqual({ left: 10 })
})

test('a day lies between two changes', () => {
  expect(editBudget([ago(1)], now)).toEqual({ left: 9, nextAt: new Date('2026-04-01T11:00:00.000Z') })
  expect(editBudget([ago(24)], now)).toEqual({ left: 9 })
})

test('the eleventh change waits until the first is 30 days old, in whichever order they are listed', () => {
  const ten = Array.from({ length: 10 }, (_, index) => ago((index + 2) * day))
  const nextAt = new Date('2026-04-19T12:00:00.000Z')
  expect(editBudget(ten, now)).toEqual({ left: 0, nextAt })
  expect(editBudget(ten.toReversed(), now)).toEqual({ left: 0, nextAt })
  expect(editBudget(ten.slice(1), now)).toEqual({ left: 1 })
})

test('changes of more than 30 days ago do not count', () => {
  expect(editBudget([ago(30 * day), ago(31 * day)], now)).toEqual({ left: 10 })
})
