import type { Assignment } from '@parley/contracts/inbox/assignment'
import { expect, test } from 'vitest'
import { createCapacity } from './capacity.ts'

const members = ['ann', 'bob', 'cem']
const rule: Omit<Assignment, 'version'> = { mode: 'round_robin', members, limit: null, limits: [] }

/** Members who are given `count` conversations one after the other. */
function given(
  setting: Partial<typeof rule>,
  {
    last,
    away = [],
    open = {},
    count = 4,
  }: { last?: string; away?: string[]; open?: Record<string, number>; count?: number } = {},
) {
  const isAway = (userId: string) => away.includes(userId)
  const capacity = createCapacity({ ...rule, ...setting }, { last, isAway, open: new Map(Object.entries(open)) })
  return Array.from({ length: count }, () => {
    const userId = capacity.next()
    if (userId !== undefined) capacity.take(userId)
    return userId
  })
}

test('members take turns, beginning after the one whose turn was the last', () => {
  expect(given({})).toEqual(['ann', 'bob', 'cem', 'ann'])
  expect(given({}, { last: 'ann' })).toEqual(['bob', 'cem', 'ann', 'bob'])
  expect(given({}, { last: 'somebody who left' })).toEqual(['ann', 'bob', 'cem', 'ann'])
})

test('who is away is passed over, and nobody is left where all are', () => {
  expect(given({}, { away: ['bob'] })).toEqual(['ann', 'cem', 'ann', 'cem'])
  expect(given({}, { away: members })).toEqual([undefined, undefined, undefined, undefined])
})

test('nobody is given more than the limit, and a limit of their own goes before that of all', () => {
  const own = { limit: 2, limits: [{ userId: 'bob', limit: 1 }] }
  expect(given(own, { count: 6 })).toEqual(['ann', 'bob', 'cem', 'ann', 'cem', undefined])
  expect(given(own, { open: { ann: 2, bob: 5, cem: 1 }, count: 2 })).toEqual(['cem', undefined])
  expect(given({ limits: [{ userId: 'bob', limit: 1 }] }, { count: 5 })).toEqual(['ann', 'bob', 'cem', 'ann', 'cem'])
})

test('the least busy one is next, and of several equally busy ones the one whose turn it is', () => {
  const least = { mode: 'least_busy' as const }
  expect(given(least, { open: { ann: 3, bob: 1, cem: 2 } })).toEqual(['bob', 'cem', 'bob', 'cem'])
  expect(given({ ...least, limit: 2 }, { open: { ann: 2, bob: 1, cem: 2 }, count: 2 })).toEqual(['bob', undefined])
})
