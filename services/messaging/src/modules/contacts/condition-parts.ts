import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { attributeOf, contactFieldOf } from '@parley/contracts/contacts/contact-fields'
import { dayText, lastDays, notBlank, numberText, partOfText, timeText, wholeText } from '@parley/flow/conditions'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactPart } from './contact-query.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { TagsRepository } from './tags/tags.repository.ts'

type ContactConditions = Filter<ContactRecord>

/** Context that a tree of conditions needs to become a filter. */
interface Surroundings {
  readonly now: Date
  /** The tags that it may mean: a condition names one in any case of its letters, the index knows the exact ones. */
  readonly tags: readonly string[]
}

export type ConditionParts = ReturnType<typeof createConditionParts>

/**
 * The parts of the filter that finds whom a tree of conditions matches: the same as `matchesGroup` finds of the contacts'
 * values.
 */
export function createConditionParts({
  tags,
  now = () => new Date(),
}: {
  tags: Pick<TagsRepository, 'named'>
  now?: Clock
}) {
  return async (scope: WorkspaceScope, group: ConditionGroup): Promise<ContactPart[]> => {
    const names = tagValues(group).map(wholeText)
    return conditionParts(group, { now: now(), tags: names.length > 0 ? await tags.named(scope, names) : [] })
  }
}

const tagValues = ({ conditions }: ConditionGroup): Condition['value'][] =>
  conditions.flatMap((entry) => {
    if ('conditions' in entry) return tagValues(entry)
    return entry.field === 'tags' && entry.value !== undefined ? [entry.value] : []
  })

function conditionParts(group: ConditionGroup, surroundings: Surroundings): ContactPart[] {
  if (group.match === 'any' && group.conditions.length > 1) return [{ filter: filterOf(group, surroundings) }]
  return group.conditions.flatMap((entry) =>
    'conditions' in entry ? conditionParts(entry, surroundings) : [partOf(entry, surroundings)],
  )
}

function filterOf({ match, conditions }: ConditionGroup, surroundings: Surroundings): ContactConditions {
  const filters = conditions.map((entry) =>
    'conditions' in entry ? filterOf(entry, surroundings) : partOf(entry, surroundings).filter,
  )
  if (filters.length === 0) return {}
  return match === 'all' ? { $and: filters } : { $or: filters }
}

function partOf(condition: Condition, surroundings: Surroundings): ContactPart {
  const { field, comparison } = condition
  switch (contactFieldOf(field)?.kind) {
    case 'tags':
      return tagPart(condition, surroundings)
    case 'date':
      return {
        filter: { [field]: dateRange(condition, surroundings.now) },
        ...(field === 'lastContactAt' && comparison === 'within_days' && { index: 'last' }),
      }
    case 'choice':
      return { filter: choice(condition) }
    case 'attribute':
      return { filter: attribute(condition, surroundings.now) }
    case 'text':
      return { filter: text(condition) }
    case undefined:
      throw new Error(`contacts have no field ${field}`)
  }
}

function tagPart({ comparison, value }: Condition, { tags }: Surroundings): ContactPart {
  const sought = wholeText(value)
  const names = tags.filter((name) => sought.test(name))
  if (comparison === 'contains') return { index: 'tags', filter: { tags: { $in: names } } }
  if (comparison === 'not_contains') return { filter: { tags: { $nin: names } } }
  return { filter: { tags: comparison === 'is_set' ? { $not: { $size: 0 } } : { $size: 0 } } }
}

const dayMs = 86_400_000

function dateRange({ comparison, value }: Condition, now: Date) {
  if (comparison === 'is_set') return { $ne: null }
  if (comparison === 'is_not_set') return null
  if (comparison === 'within_days') {
    const { from, to } = lastDays(Number(value), now)
    return { $gte: from, $lte: to }
  }
  const day = new Date(String(value).trim().slice(0, 10))
  return comparison === 'less_than' ? { $lt: day } : { $gte: new Date(day.getTime() + dayMs) }
}

function choice({ field, comparison, value }: Condition): ContactConditions {
  const path = field === 'marketing' ? 'optIn.marketing' : field
  const chosen = String(value).trim()
  const stored = field === 'blocked' ? chosen === 'true' : chosen
  return { [path]: comparison === 'equals' ? stored : { $ne: stored } }
}

function text({ field, comparison, value }: Condition): ContactConditions {
  const pattern = patternOf(comparison, value)
  return { [field]: isNegative(comparison) ? { $not: pattern } : pattern }
}

const isNegative = (comparison: Condition['comparison']) =>
  comparison === 'not_equals' || comparison === 'not_contains' || comparison === 'is_not_set'

function patternOf(comparison: Condition['comparison'], value: Condition['value']): RegExp {
  if (comparison === 'is_set' || comparison === 'is_not_set') return notBlank
  return comparison === 'equals' || comparison === 'not_equals' ? wholeText(value) : partOfText(value)
}

function attribute({ field, comparison, value }: Condition, now: Date): ContactConditions {
  const k = attributeOf(field)
  const having = (v: object): ContactConditions => ({ attributes: { $elemMatch: { k, v } } })
  if (comparison === 'within_days') {
    const { times, days } = lastDays(Number(value), now)
    const between = (pattern: RegExp, [from, to]: readonly [string, string]) =>
      having({ $regex: pattern, $gte: from, $lte: to })
    return { $or: [between(dayText, days), between(timeText, times)] }
  }
  if (comparison === 'greater_than' || comparison === 'less_than') {
    const limit = String(value).trim()
    if (numberText.test(limit)) return numberAttribute(k, comparison === 'less_than' ? '$lt' : '$gt', Number(limit))
    const day = limit.slice(0, 10)
    const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
    const isTime = new RegExp(`${dayText.source}|${timeText.source}`)
    return having({ $regex: isTime, ...(comparison === 'less_than' ? { $lt: day } : { $gte: next }) })
  }
  const pattern = patternOf(comparison, value)
  const found = { $elemMatch: { k, v: pattern } }
  return { attributes: isNegative(comparison) ? { $not: found } : found }
}

/** Attributes are texts: only an expression compares them as numbers. */
function numberAttribute(k: string | undefined, operator: '$lt' | '$gt', limit: number): ContactConditions {
  const asNumber = {
    $convert: { input: { $trim: { input: '$$attribute.v' } }, to: 'double', onError: null, onNull: null },
  }
  const isNumber = { $regexMatch: { input: '$$attribute.v', regex: numberText.source } }
  const cond = { $and: [{ $eq: ['$$attribute.k', { $literal: k }] }, isNumber, { [operator]: [asNumber, limit] }] }
  const found = { $filter: { input: '$attributes', as: 'attribute', cond } }
  return { $expr: { $gt: [{ $size: found }, 0] } }
}
