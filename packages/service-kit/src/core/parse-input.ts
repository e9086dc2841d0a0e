import type { z } from 'zod'
import { errors } from './errors.ts'

/**
 * Parses one part of a request.
 * @param part names the whole in the answer when no field can be blamed: `body`, `query`, `params`.
 * @throws `validation_failed` with one text for each field, the first found.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, part: string): z.output<T> {
  refuseNul(value, part)
  const result = schema.safeParse(value, { error: describeType })
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

/** Replaces zod's message for a wrong type where the schema has none of its own. */
const describeType: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined
  const field = issue.path?.at(-1)
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a'
  if (field === undefined) return `Send a JSON ${issue.expected}.`
  return issue.input === undefined
    ? `${String(field)} is missing.`
    : `${String(field)} must be ${article} ${issue.expected}.`
}
