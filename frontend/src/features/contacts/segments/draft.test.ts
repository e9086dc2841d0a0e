import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { contactConditionsSchema } from '@parley/contracts/contacts/contact-fields'
import { expect, test } from 'vitest'
import { conditionsOfUrl } from '../list/narrow-by.tsx'
import {
  allOf,
  type DraftGroup,
  firstProblem,
  fromDraft,
  isGroup,
  newCondition,
  newGroup,
  replaceEntry,
  toDraft,
  withComparison,
  withField,
} from './draft.ts'

const is = (value: string): Condition => ({ field: 'tags', comparison: 'contains', value })
const tree: ConditionGroup = {
  match: 'all',
  conditions: [is('vip'), { match: 'any', conditions: [is('a'), { field: 'name', comparison: 'is_set' }] }],
}

test('a tree is the same after it has been a draft; groups that were emptied are gone', () => {
  const draft = toDraft(tree)
  expect(fromDraft(draft)).toEqual(tree)
  const inner = draft.entries.find(isGroup) as DraftGroup
  const keys = inner.entries.map(({ key }) => key)
  const emptied = keys.reduce((group: DraftGroup, key) => replaceEntry(group, key, undefined), draft)
  expect(fromDraft(emptied)).toEqual({ match: 'all', conditions: [is('vip')] })
})

test('one entry is replaced wherever it stands, and the others stay the very same', () => {
  const draft = toDraft(tree)
  const inner = draft.entries.find(isGroup) as DraftGroup
  const [first] = inner.entries
  const changed = replaceEntry(draft, first?.key ?? 0, { ...newCondition(), value: 'b' })
  expect(fromDraft(changed).conditions[1]).toMatchObject({ conditions: [is('b'), { field: 'name' }] })
  expect(changed.entries[0]).toBe(draft.entries[0])
})

test('a condition that is not complete is found in a group within a group', () => {
  const draft = { ...toDraft(tree), entries: [...toDraft(tree).entries, newGroup()] }
  expect(firstProblem(toDraft(tree))).toBeUndefined()
  expect(firstProblem(draft)).toMatchObject({ field: 'tags', value: '' })
})

test('another field keeps comparison and value where they still make sense', () => {
  const condition = { ...newCondition(), field: 'name', comparison: 'equals' as const, value: 'Asha' }
  expect(withField(condition, 'phone', [])).toMatchObject({ comparison: 'equals', value: 'Asha' })
  expect(withField(condition, 'lastContactAt', [])).toMatchObject({ comparison: 'within_days', value: '' })
  expect(withField({ ...condition, field: 'source', value: 'api' }, 'blocked', [])).toMatchObject({ value: '' })
  const days = { ...condition, field: 'createdAt', comparison: 'within_days' as const, value: '30' }
  expect(withComparison(days, 'less_than').value).toBe('')
  expect(withComparison(condition, 'contains').value).toBe('Asha')
})

test('what has to hold together is not nested, but any-of stays a group of its own', () => {
  const any: ConditionGroup = { match: 'any', conditions: [is('a'), is('b')] }
  expect(allOf([any, undefined])).toBe(any)
  expect(allOf([tree, any, { match: 'any', conditions: [is('c')] }])).toEqual({
    match: 'all',
    conditions: [...tree.conditions, any, is('c')],
  })
})

test.each(['7d', '30d', '90d', 'older', 'never'] as const)('the quick filter %s is a valid condition', (last) => {
  const found = conditionsOfUrl(
    { tags: ['vip', 'lead'], last, conditions: undefined },
    new Date('2026-03-09T10:00:00Z'),
  )
  expect(found.conditions).toHaveLength(2)
  expect(found.conditions[0]).toEqual({ match: 'any', conditions: [is('vip'), is('lead')] })
  expect(contactConditionsSchema.safeParse(found).success).toBe(true)
})
