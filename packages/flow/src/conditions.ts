import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'

/** Value of a field of a contact, conversation or flow; times as ISO 8601 in UTC with milliseconds. */
export type FieldValue = string | number | boolean | readonly string[] | null | undefined
type Comparison = Condition['comparison']
type ReadField = (field: string) => FieldValue

const dayMs = 86_400_000

/**
 * The one evaluator of conditions: segments, list filters, bots and workflows. A group without conditions restricts nothing.
 * @param read gives the value of a field by its name (`tags`, `attributes.city`); `undefined` where there is none.
 */
export const matchesGroup = (group: ConditionGroup, read: ReadField, now: Date): boolean =>
  explainGroup(group, read, now).holds

/** The answer to a condition, or to a group with those of its conditions in their order. */
export interface Explanation {
  readonly holds: boolean
  readonly conditions?: Explanation[]
}

/** Explains why a group holds or not: {@link matchesGroup} with the answer to each of its conditions. */
export function explainGroup(
  group: ConditionGroup,
  read: ReadField,
  now: Date,
): Explanation & { conditions: Explanation[] } {
  const conditions = group.conditions.map((entry) =>
    'conditions' in entry
      ? explainGroup(entry, read, now)
      : { holds: compare(read(entry.field), entry.comparison, entry.value, now) },
  )
  const holds = ({ holds: one }: Explanation) => one
  const all = group.match === 'all' || conditions.length === 0
  return { holds: all ? conditions.every(holds) : conditions.some(holds), conditions }
}

/**
 * Compares a field with a condition's value. Letters count the same in either case, and spaces around do not count; of a
 * list (tags) any entry may match. `greater_than` and `less_than` compare numbers, or days (UTC): after 1 March begins on the
 * 2nd. A comparison that makes no sense for the value is false.
 */
export function compare(actual: FieldValue, comparison: Comparison, expected: Condition['value'], now: Date): boolean {
  switch (comparison) {
    case 'is_set':
      return wordsOf(actual).some((word) => notBlank.test(word))
    case 'is_not_set':
      return !compare(actual, 'is_set', expected, now)
    case 'equals':
      return wordsOf(actual).some((word) => wholeText(expected).test(word))
    case 'not_equals':
      return !compare(actual, 'equals', expected, now)
    case 'contains': {
      // A list contains a whole entry, a text any part of itself.
      const sought = typeof actual === 'object' ? wholeText(expected) : partOfText(expected)
      return wordsOf(actual).some((word) => sought.test(word))
    }
    case 'not_contains':
      return !compare(actual, 'contains', expected, now)
    case 'greater_than':
      return difference(actual, expected) > 0
    case 'less_than':
      return difference(actual, expected) < 0
    case 'within_days':
      return isWithin(actual, Number(expected), now)
  }
}

const wordsOf = (value: FieldValue): string[] => {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? [...value] : [String(value)]
}

// As patterns, which MongoDB understands as JavaScript does: its own lower case knows ASCII only. Line separators would stand
// in the pattern's source as escapes that it does not know.
const blanks = '\\t-\\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff'
const blank = `[${blanks}]*`

/** Matches any character but space. */
export const notBlank: RegExp = new RegExp(`[^${blanks}]`, 'u')

/** Matches texts that equal this one, but for the case of letters and spaces around. */
export const wholeText = (value: Condition['value']): RegExp => new RegExp(`^${blank}${escaped(value)}${blank}$`, 'iu')

/** Matches texts that contain this one. */
export const partOfText = (value: Condition['value']): RegExp => new RegExp(escaped(value), 'iu')

const escaped = (value: Condition['value']): string =>
  String(value ?? '')
    .replaceAll(/[\u2028\u2029]/g, ' ')
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll('\0', String.raw`\x00`)

/** Matches a text that is a number, with nothing but spaces around it. */
export const numberText = /^[ \t\r\n]*[+-]?[0-9]{1,15}(\.[0-9]{1,15})?[ \t\r\n]*$/
// `$` would let a line end follow in MongoDB.
const end = String.raw`(?![\s\S])`
const day = '^[0-9]{4}-[0-9]{2}-[0-9]{2}'
/** A day. */
export const dayText: RegExp = new RegExp(`${day}${end}`)
/** A time with its day in front. */
export const timeText: RegExp = new RegExp(`${day}T[0-9:.]{12}Z${end}`)

const isTime = (text: string): boolean => dayText.test(text) || timeText.test(text)

/** Positive if the field is more than the value; NaN where they cannot be compared. */
function difference(actual: FieldValue, expected: Condition['value']): number {
  const [left, right] = [String(actual), String(expected).trim()]
  if (numberText.test(right)) return numberText.test(left) ? Number(left) - Number(right) : Number.NaN
  if (!isTime(left) || !isTime(right)) return Number.NaN
  const [from, to] = [left.slice(0, 10), right.slice(0, 10)]
  return from === to ? 0 : from < to ? -1 : 1
}

/** Returns the last `days` days up to now, in both notations of a time, with and without the hour. */
export function lastDays(days: number, now: Date) {
  const [from, to] = [new Date(now.getTime() - days * dayMs), now]
  return { from, to, times: [from.toISOString(), to.toISOString()], days: [dayOf(from), dayOf(to)] } as const
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const maxDays = 10_000

function isWithin(actual: FieldValue, count: number, now: Date): boolean {
  if (typeof actual !== 'string' || !isTime(actual) || !(count >= 0 && count <= maxDays)) return false
  const { times, days } = lastDays(count, now)
  const [from, to] = actual.length > 10 ? times : days
  return from <= actual && actual <= to
}
