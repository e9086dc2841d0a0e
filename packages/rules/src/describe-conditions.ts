import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { attributeOf, contactFieldOf, withoutValue } from '@parley/contracts/contacts/contact-fields'

const words: Record<Condition['comparison'], string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  greater_than: 'is more than',
  less_than: 'is less than',
  within_days: 'is within the last',
  is_set: 'is known',
  is_not_set: 'is not known',
}
const ofKind: Readonly<Record<string, Partial<typeof words>>> = {
  date: { greater_than: 'is after', less_than: 'is before' },
  tags: { contains: 'is', not_contains: 'is not', is_set: 'is any', is_not_set: 'is none' },
}
const longest = 200

/** Returns the words for a comparison after the field: `Tag` `is`, `Last contact` `is after`. */
export const comparisonLabels = (field: string, comparison: Condition['comparison']): string =>
  ofKind[contactFieldOf(field)?.kind ?? '']?.[comparison] ?? words[comparison]

/** Returns the workspace's label of its own field, by the name that it is stored under; nothing where it has not defined it. */
type LabelOf = (attribute: string) => string | undefined

/** Describes a tree of conditions on contacts in at most 200 characters: `Tag is vip and (City is Pune or City is Delhi)`. */
export function describeConditions(group: ConditionGroup, labelOf?: LabelOf): string {
  const text = inWords(group, labelOf)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** Describes one condition as people read it: `Tag is vip`. */
export function describeCondition({ field: name, comparison, value }: Condition, labelOf?: LabelOf): string {
  const field = contactFieldOf(name)
  const attribute = attributeOf(name)
  const label = attribute === undefined ? undefined : labelOf?.(attribute)
  const start = `${label ?? field?.label ?? name} ${comparisonLabels(name, comparison)}`
  if (withoutValue.has(comparison)) return start
  const shown = field?.values?.[String(value)] ?? String(value ?? '').trim()
  return `${start} ${shown}${comparison === 'within_days' ? (shown === '1' ? ' day' : ' days') : ''}`
}

function inWords({ match, conditions }: ConditionGroup, labelOf?: LabelOf): string {
  const parts = conditions.map((entry) => {
    if (!('conditions' in entry)) return describeCondition(entry, labelOf)
    return entry.conditions.length > 1 ? `(${inWords(entry, labelOf)})` : inWords(entry, labelOf)
  })
  return parts.filter((part) => part !== '').join(match === 'all' ? ' and ' : ' or ')
}
