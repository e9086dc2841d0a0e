import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { expect, test } from 'vitest'
import { describeConditions } from './describe-conditions.ts'

const is = (field: string, comparison: Condition['comparison'], value?: Condition['value']): Condition => ({
  field,
  comparison,
  ...(value !== undefined && { value }),
})
const all = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'all', conditions })
const any = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'any', conditions })

test.each([
  [all(is('tags', 'contains', 'vip'), any(is('attributes.city', 'equals', 'Pune'))), 'Tag is vip and City is Pune'],
  [
    all(is('name', 'is_set'), any(is('marketing', 'equals', 'out'), is('blocked', 'equals', true))),
    'Name is known and (Marketing is Opted out or Blocked is Yes)',
  ],
  [
    any(is('lastContactAt', 'within_days', 1), is('createdAt', 'less_than', '2026-03-01')),
    'Last contact is within the last 1 day or Added is before 2026-03-01',
  ],
  [
    all(is('attributes.first_order', 'greater_than', 7), is('tags', 'is_not_set')),
    'First order is more than 7 and Tag is none',
  ],
])('%j in words', (group, words) => {
  expect(describeConditions(group)).toEqual(words)
})

test('a long text is cut off', () => {
  const text = describeConditions(all(...Array.from({ length: 20 }, () => is('name', 'contains', 'somebody'))))
  expect(text).toHaveLength(200)
  expect(text.endsWith('…')).toBe(true)
})
