import type { Condition, ConditionGroup } from '@parley/contracts/conditions'

/** What a field of a contact, conversation or flow may hold. */
export type FieldValue = string | number | boolean | readonly string[] | null | undefined
type Comparison = Condition['comparison']

const dayMs = 86_400_000

/**
 * The one evaluator of conditions: segments, list filters, bots and workflows. A group without conditions restricts nothing.
 * @param read gives the value of a field by its name (`tags`, `attributes.city`); `undefined` where there is none.
 */
export function matchesGroup(group: ConditionGroup, read: (field: string) => FieldValue, now: Date): boolean {
  if (group.conditions.length === 0) return true
  const holds = (entry: Condition | ConditionGroup): boolean =>
    'conditions' in entry
      ? matchesGroup(entry, read, now)
      : compare(read(entry.field), entry.comparison, entry.value, now)
  return group.match === 'all' ? group.conditions.every(holds) : group.conditions.some(holds)
}

/**
 * Compares a field with a condition's value. Letters count the same in either case, and spaces around do not count; of a
 * list (tags) any entry may match. A comparison that makes no sense for the value is false.
 */
export function compare(actual: FieldValue, comparison: Comparison, expected: Condition['value'], now: Date): boolean {
  switch (comparison) {
    case 'is_set':
      return isSet(actual)
    case 'is_not_set':
      return !isSet(actual)
    case 'equals':
      return wordsOf(actual).includes(plain(expected))
    case 'not_equals':
      return !wordsOf(actual).includes(plain(expected))
    case 'contains':
      return contains(actual, expected)
    case 'not_contains':
      return !contains(actual, expected)
    case 'greater_than':
      return difference(actual, expected) > 0
    case 'less_than':
      return difference(actual, expected) < 0
    case 'within_days':
      return isWithinDays(actual, Number(expected), now)
  }
}

const isSet = (value: FieldValue): boolean => wordsOf(value).some((word) => word !== '')

const plain = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .toLowerCase()

const wordsOf = (value: FieldValue): string[] => {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? value.map(plain) : [plain(value)]
}

/** A list contains a whole entry, a text any part of itself. */
function contains(actual: FieldValue, expected: Condition['value']): boolean {
  const sought = plain(expected)
  const words = wordsOf(actual)
  return typeof actual === 'object' ? words.includes(sought) : words.some((word) => word.includes(sought))
}

/** Positive if the field is more than the value, as numbers or as times; NaN where they cannot be compared. */
function difference(actual: FieldValue, expected: Condition['value']): number {
  const [left, right] = [plain(actual), plain(expected)]
  if (left === '' || right === '') return Number.NaN
  const asNumbers = Number(left) - Number(right)
  return Number.isNaN(asNumbers) ? Date.parse(left) - Date.parse(right) : asNumbers
}

function isWithinDays(actual: FieldValue, days: number, now: Date): boolean {
  const passedMs = typeof actual === 'string' ? now.getTime() - Date.parse(actual) : Number.NaN
  return passedMs >= 0 && passedMs <= days * dayMs
}
