import type { z } from 'zod'
import { errors } from './errors.ts'

/**
 * Parses one part of a request.
 * @param part names the whole in the answer when no field can be blamed: `body`, `query`, `params`.
 * @throws `validation_failed` with one text for each field, the first found.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, part: string): z.output<T> {
  refuseNul(value, part)
  const result = schema.safeParse(value, { error: describe })
  if (result.success) return result.data
  throw errors.validation(fieldMessages(result.error.issues, part))
}

/**
 * Refuses U+0000: no one types it, and the database takes none in names and patterns. The walk uses its own list, because a body
 * may be nested deeper than calls can be.
 */
function refuseNul(value: unknown, part: string): void {
  const rest: { readonly inner: unknown; readonly field: string }[] = [{ inner: value, field: part }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { inner, field } = next
    if (typeof inner === 'string' ? inner.includes('\0') : field.includes('\0'))
      throw errors.validation({ [field.replaceAll('\0', '')]: 'Remove the character U+0000: it cannot be stored.' })
    if (typeof inner !== 'object' || inner === null) continue
    for (const [name, member] of Object.entries(inner)) rest.push({ inner: member, field: name })
  }
}

function fieldMessages(issues: readonly z.core.$ZodIssue[], part: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const issue of issues) {
    const field = issue.path.length === 0 ? part : issue.path.map(String).join('.')
    if (!fields.has(field)) fields.set(field, issue.message)
  }
  return Object.fromEntries(fields)
}

/** Replaces zod's message, which is written for programmers, where the schema has none of its own. */
const describe: z.core.$ZodErrorMap = (issue) => {
  const last = issue.path?.at(-1)
  // An item is named with its list.
  const name = typeof last === 'number' ? issue.path?.map(String).join('.') : last && String(last)
  if (issue.code === 'invalid_type') return describeType(issue, name)
  const field = name ?? 'This'
  if (issue.code === 'too_big') return describeSize(field, issue.origin, 'at most', Number(issue.maximum))
  if (issue.code === 'too_small') return describeSize(field, issue.origin, 'at least', Number(issue.minimum))
  if (issue.code === 'invalid_value') return `${field} must be one of: ${issue.values.map(String).join(', ')}.`
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return `${field} must be a time in UTC: 2026-01-31T09:30:00Z.`
  if (issue.code === 'invalid_format' && issue.format === 'regex') return `${field} has characters that it cannot have.`
  return undefined
}

function describeType(
  { expected, input }: Pick<z.core.$ZodIssueInvalidType, 'expected' | 'input'>,
  field: string | undefined,
): string {
  if (field === undefined) return `Send a JSON ${expected}.`
  if (input === undefined) return `${field} is missing.`
  const wanted = expected === 'int' ? 'whole number' : expected
  return `${field} must be ${/^[aeiou]/.test(wanted) ? 'an' : 'a'} ${wanted}.`
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', file: 'byte' }

function describeSize(field: string, origin: string, bound: 'at most' | 'at least', count: number): string {
  const unit = units[origin]
  if (!unit) return `${field} must be ${bound} ${count.toLocaleString('en')}.`
  return `${field} must have ${bound} ${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}.`
}
