import type { FieldValue } from './conditions.ts'
import type { Person } from './state.ts'

/** Values that texts and conditions of a run may name. */
export interface Values {
  readonly person: Person
  readonly session: Readonly<Record<string, string>>
  readonly lastAnswer: string
}

/**
 * The value of a field by its name: `tags`, `name`, `phone`, `username`, `last_answer`, `session.x`, or an attribute
 * (`city`, `attributes.Order date`).
 */
export function readField({ person, session, lastAnswer }: Values, field: string): FieldValue {
  if (field === 'tags') return person.tags
  if (field === 'name') return person.name
  if (field === 'phone') return person.phone
  if (field === 'username') return person.username
  if (field === 'last_answer') return lastAnswer
  if (field.startsWith(sessionPrefix)) return ownValue(session, field.slice(sessionPrefix.length))
  return ownValue(person.attributes, field.replace(/^attributes\./, ''))
}

const sessionPrefix = 'session.'

const ownValue = (values: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined
