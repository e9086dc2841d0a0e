import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { ContactsUrl } from '../url.ts'
import { allOf } from './draft.ts'

const dayMs = 86_400_000
const days = { '7d': 7, '30d': 30, '90d': 90 } as const

/** Returns the quick filters and the conditions of the address as conditions alone. */
export function conditionsOfUrl(
  { tags = [], last, conditions }: Pick<ContactsUrl, 'tags' | 'last' | 'conditions'>,
  now: Date,
): ConditionGroup {
  const tagged = tags.map((value): Condition => ({ field: 'tags', comparison: 'contains', value }))
  return allOf([
    { match: tagged.length > 1 ? 'any' : 'all', conditions: tagged },
    { match: 'all', conditions: last ? [lastContact(last, now)] : [] },
    conditions,
  ])
}

function lastContact(last: NonNullable<ContactsUrl['last']>, now: Date): Condition {
  const field = 'lastContactAt'
  if (last === 'never') return { field, comparison: 'is_not_set' }
  if (last !== 'older') return { field, comparison: 'within_days', value: String(days[last]) }
  // Older than a number of days is none of the comparisons: the day it is, as it stands now.
  const day = new Date(now.getTime() - days['90d'] * dayMs).toISOString().slice(0, 10)
  return { field, comparison: 'less_than', value: day }
}
