import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { contactFieldOf, problemOf, withoutValue } from '@parley/contracts/contacts/contact-fields'
import { conditionField } from './condition-field.ts'

/** One condition while it is written; `key` is its own for as long as the builder is open. */
export interface DraftCondition {
  readonly key: number
  readonly field: string
  readonly comparison: Condition['comparison']
  readonly value: string
}
export interface DraftGroup {
  readonly key: number
  readonly match: ConditionGroup['match']
  readonly entries: readonly DraftEntry[]
}
export type DraftEntry = DraftCondition | DraftGroup

let lastKey = 0
const nextKey = () => {
  lastKey += 1
  return lastKey
}

export const isGroup = (entry: DraftEntry): entry is DraftGroup => 'entries' in entry

export const newCondition = (): DraftCondition => ({
  key: nextKey(),
  field: 'tags',
  comparison: 'contains',
  value: '',
})
/** A group with one condition to fill in; what stands around it is usually the other. */
export const newGroup = (match: DraftGroup['match'] = 'all'): DraftGroup => ({
  key: nextKey(),
  match,
  entries: [newCondition()],
})

export function toDraft({ match, conditions }: ConditionGroup): DraftGroup {
  const entries = conditions.map((entry): DraftEntry => {
    if ('conditions' in entry) return toDraft(entry)
    const { field, comparison, value } = entry
    return { key: nextKey(), field, comparison, value: value === undefined ? '' : String(value) }
  })
  return { key: nextKey(), match, entries }
}

/** Converts a draft to the form in which it is requested and stored. Groups without conditions are left out. */
export function fromDraft({ match, entries }: DraftGroup): ConditionGroup {
  const conditions = entries.flatMap((entry): ConditionGroup['conditions'] => {
    if (!isGroup(entry)) return [conditionOf(entry)]
    const group = fromDraft(entry)
    return group.conditions.length > 0 ? [group] : []
  })
  return { match, conditions }
}

export const conditionOf = ({ field, comparison, value }: DraftCondition): Condition => ({
  field,
  comparison,
  ...(!withoutValue.has(comparison) && { value: value.trim() }),
})

/** Returns all conditions of a group and of the groups in it, in the order of display. */
const conditionsOf = ({ entries }: DraftGroup): DraftCondition[] =>
  entries.flatMap((entry) => (isGroup(entry) ? conditionsOf(entry) : [entry]))

/** The first condition that is not complete. */
export const firstProblem = (draft: DraftGroup): DraftCondition | undefined =>
  conditionsOf(draft).find((condition) => problemOf(conditionOf(condition)) !== undefined)

/** The same tree with another entry in the place of the one with this key; without it where there is no other. */
export function replaceEntry(group: DraftGroup, key: number, next: DraftEntry | undefined): DraftGroup {
  const entries = group.entries.flatMap((entry) => {
    if (entry.key === key) return next ? [next] : []
    return [isGroup(entry) ? replaceEntry(entry, key, next) : entry]
  })
  return { ...group, entries }
}

/** Changes the field; the comparison and the value stay where the field's kind has them. */
export function withField(condition: DraftCondition, field: string, attributes: readonly Attribute[]): DraftCondition {
  const [before, after] = [contactFieldOf(condition.field)?.kind, contactFieldOf(field)?.kind]
  const { comparisons, values } = conditionField(field, attributes)
  const isAlike = before === after && !values && !conditionField(condition.field, attributes).values
  if (isAlike && comparisons.includes(condition.comparison)) return { ...condition, field }
  const [comparison = 'equals'] = comparisons
  return { ...condition, field, comparison, value: '' }
}

/** Changes the comparison; a number of days is not kept as a day. */
export function withComparison(condition: DraftCondition, comparison: Condition['comparison']): DraftCondition {
  const isOther = (comparison === 'within_days') !== (condition.comparison === 'within_days')
  return { ...condition, comparison, value: isOther ? '' : condition.value }
}

/** Conditions that all groups make together; one that all have to meet is not nested. */
export function allOf(groups: readonly (ConditionGroup | undefined)[]): ConditionGroup {
  const nonEmptyGroups = groups.flatMap((group) => (group && group.conditions.length > 0 ? [group] : []))
  const [only] = nonEmptyGroups
  if (only && nonEmptyGroups.length === 1) return only
  const conditions = nonEmptyGroups.flatMap((group): ConditionGroup['conditions'] =>
    group.match === 'all' || group.conditions.length === 1 ? group.conditions : [group],
  )
  return { match: 'all', conditions }
}
