import {
  type Condition,
  type ConditionGroup,
  comparisons,
  conditionGroupSchema,
  conditionsParameter,
  maxInAddress,
} from './conditions.ts'

type Comparison = (typeof comparisons)[number]

/** Comparisons for each kind of field; the first is preset where a field is chosen. */
export const comparisonsOf = {
  tags: ['contains', 'not_contains', 'is_set', 'is_not_set'],
  text: ['contains', 'not_contains', 'equals', 'not_equals', 'is_set', 'is_not_set'],
  /** A text of the workspace's own, which may hold a number or a date. */
  attribute: comparisons,
  choice: ['equals', 'not_equals'],
  date: ['within_days', 'greater_than', 'less_than', 'is_set', 'is_not_set'],
} as const satisfies Record<string, readonly Comparison[]>

/** The comparisons that have no value. */
export const withoutValue: ReadonlySet<Comparison> = new Set(['is_set', 'is_not_set'])

/** A field of a contact that conditions may name. */
export interface ContactField {
  readonly kind: keyof typeof comparisonsOf
  readonly label: string
  /** Values of a choice, each with the word that people read. */
  readonly values?: Readonly<Record<string, string>>
}

/** Every field but the attributes, which are named `attributes.<name>`. */
export const contactFields = {
  tags: { kind: 'tags', label: 'Tag' },
  lastContactAt: { kind: 'date', label: 'Last contact' },
  createdAt: { kind: 'date', label: 'Added' },
  name: { kind: 'text', label: 'Name' },
  phone: { kind: 'text', label: 'Phone' },
  username: { kind: 'text', label: 'Username' },
  source: {
    kind: 'choice',
    label: 'Source',
    values: { inbound: 'Wrote to you', import: 'Import', manual: 'By hand', api: 'API' },
  },
  marketing: { kind: 'choice', label: 'Marketing', values: { in: 'Allowed', out: 'Opted out', unknown: 'Not asked' } },
  blocked: { kind: 'choice', label: 'Blocked', values: { true: 'Yes', false: 'No' } },
} as const satisfies Record<string, ContactField>

const attributePrefix = 'attributes.'

/** Name by which conditions name a field of the workspace's own. */
export const attributeField = (name: string): string => `${attributePrefix}${name}`

/** The name of the attribute that a field stands for; `undefined` where it is no attribute. */
export const attributeOf = (field: string): string | undefined =>
  field.startsWith(attributePrefix) && field.length > attributePrefix.length
    ? field.slice(attributePrefix.length)
    : undefined

/** The field of this name, or `undefined` where contacts have none. */
export function contactFieldOf(name: string): ContactField | undefined {
  const attribute = attributeOf(name)
  if (attribute !== undefined) return { kind: 'attribute', label: labelOf(attribute) }
  return Object.hasOwn(contactFields, name) ? contactFields[name as keyof typeof contactFields] : undefined
}

/** `first_order` → `First order` */
const labelOf = (attribute: string) =>
  `${attribute.slice(0, 1).toUpperCase()}${attribute.slice(1).replaceAll('_', ' ')}`

/** Conditions in a whole tree. */
const maxConditions = 50

/** A tree of conditions whose fields and comparisons contacts have, and whose values fit them. */
export const contactConditionsSchema = conditionGroupSchema.superRefine((group, issues) => {
  const found = [...flatten(group, [])]
  if (found.length > maxConditions) issues.addIssue({ code: 'custom', message: `At most ${maxConditions} conditions` })
  if (new URLSearchParams({ conditions: JSON.stringify(group) }).toString().length > maxInAddress)
    issues.addIssue({ code: 'custom', message: 'Use fewer or shorter conditions' })
  for (const { condition, path } of found) {
    const problem = problemOf(condition)
    if (problem)
      issues.addIssue({ code: 'custom', path: ['conditions', ...path, problem.at], message: problem.message })
  }
})

/** Such a tree in an address, as JSON. */
export const contactConditionsParameter = conditionsParameter(contactConditionsSchema)

function* flatten(
  { conditions }: ConditionGroup,
  above: readonly (string | number)[],
): Generator<{ condition: Condition; path: (string | number)[] }> {
  for (const [index, entry] of conditions.entries()) {
    const path = [...above, index]
    if ('conditions' in entry) yield* flatten(entry, [...path, 'conditions'])
    else yield { condition: entry, path }
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
const isNumber = (text: string): boolean => /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text)

/** Returns what is wrong with a condition on contacts, and in which of its parts; `undefined` where nothing is. */
export function problemOf({
  field: name,
  comparison,
  value,
}: Condition): { at: keyof Condition; message: string } | undefined {
  const field = contactFieldOf(name)
  if (!field) return { at: 'field', message: 'Contacts have no such field' }
  const known: readonly Comparison[] = comparisonsOf[field.kind]
  if (!known.includes(comparison)) return { at: 'comparison', message: `${field.label} cannot be compared in this way` }
  if (withoutValue.has(comparison)) return undefined
  const text = String(value ?? '').trim()
  if (text === '') return { at: 'value', message: 'Enter a value' }
  if (field.values && !Object.hasOwn(field.values, text)) return { at: 'value', message: 'Choose one of the values' }
  if (comparison === 'within_days')
    return /^\d{1,4}$/.test(text) && Number(text) > 0 ? undefined : { at: 'value', message: 'Enter a number of days' }
  if (comparison !== 'greater_than' && comparison !== 'less_than') return undefined
  if (isDay(text) || (field.kind === 'attribute' && isNumber(text))) return undefined
  return { at: 'value', message: field.kind === 'date' ? 'Enter a day' : 'Enter a number or a day' }
}
