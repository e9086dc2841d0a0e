import { expect, test } from 'vitest'
import { accountEmail, isToRemove, runOf } from './test-accounts.ts'

const now = 1_700_000_000
const mine = accountEmail({ runId: 'abc', endsAt: now + 60, number: 7 })
const cutOff = accountEmail({ runId: 'old', endsAt: now - 60, number: 1 })

test('a run removes its own accounts only', () => {
  expect([mine, cutOff].filter((email) => isToRemove(email, { runId: 'abc', now }))).toEqual([mine])
})

test('a later run removes what an earlier one left, and leaves one that may still go on', () => {
  expect([mine, cutOff].filter((email) => isToRemove(email, { runId: undefined, now }))).toEqual([cutOff])
})

test.each(['load-balancer@example.com', 'ann@load.parley.test', `x${cutOff}`, cutOff.replace('.test', '.com')])(
  '%s is somebody',
  (email) => expect(isToRemove(email, { runId: undefined, now })).toBe(false),
)

test('the run is known by its accounts', () => {
  expect(runOf([{ email: mine, password: 'x' }])).toBe('abc')
  expect([runOf([]), runOf([{ email: 'ann@example.com', password: 'x' }])]).toEqual(['', ''])
})
