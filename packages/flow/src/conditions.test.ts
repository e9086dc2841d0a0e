import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { expect, test } from 'vitest'
import { compare, type FieldValue, matchesGroup } from './conditions.ts'

const now = new Date('2026-03-09T10:00:00.000Z')
const rows: [FieldValue, Condition['comparison'], Condition['value'], boolean][] = [
  ['Pune', 'equals', ' pune ', true],
  ['Pune', 'not_equals', 'Delhi', true],
  [undefined, 'not_equals', 'Delhi', true],
  ['Green tea', 'contains', 'TEA', true],
  [['vip', 'lead'], 'contains', 'VIP', true],
  [['vip'], 'contains', 'vi', false],
  [undefined, 'contains', '', false],
  [['vip'], 'not_contains', 'lead', true],
  ['10', 'greater_than', '9', true],
  [' 10\n', 'greater_than', ' 9 ', true],
  [10, 'less_than', 9, false],
  ['2026-03-01', 'less_than', '2026-03-02', true],
  ['many', 'greater_than', '9', false],
  [undefined, 'less_than', '9', false],
  ['2026-03-01T10:00:00.000Z', 'within_days', 8, true],
  ['2026-03-01T09:59:59.000Z', 'within_days', 8, false],
  [null, 'within_days', 8, false],
  [false, 'is_set', undefined, true],
  ['', 'is_set', undefined, false],
  [[], 'is_not_set', undefined, true],
  [null, 'is_not_set', undefined, true],
]

test.each(rows)('%j %s %j is %s', (actual, comparison, expected, result) => {
  expect(compare(actual, comparison, expected, now)).toBe(result)
})

test('groups nest: all of, any of; an empty group restricts nothing', () => {
  const is = (field: string, value: string): Condition => ({ field, comparison: 'equals', value })
  const read = (field: string) => ({ city: 'Pune', plan: 'pro' })[field]
  const group = (match: 'all' | 'any', ...conditions: ConditionGroup['conditions']): ConditionGroup => ({
    match,
    conditions,
  })
  expect(matchesGroup(group('any'), read, now)).toBe(true)
  expect(matchesGroup(group('all', is('city', 'Pune'), is('plan', 'free')), read, now)).toBe(false)
  expect(matchesGroup(group('any', is('city', 'Delhi'), is('plan', 'pro')), read, now)).toBe(true)
  const nested = group('all', is('city', 'pune'), group('any', is('plan', 'free'), group('all', is('plan', 'pro'))))
  expect(matchesGroup(nested, read, now)).toBe(true)
})
