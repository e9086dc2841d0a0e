import type { FieldValue } from './conditions.ts'
import type { FlowState } from './state.ts'
import type { Values } from './variables.ts'

/** The value of a field that a condition names: `tags`, `name`, `phone`, `last_answer`, or an attribute (`city`, `attributes.city`). */
export function readField({ person, lastAnswer }: FlowState, field: string): FieldValue {
  if (field === 'tags') return person.tags
  if (field === 'name') return person.name
  if (field === 'phone') return person.phone
  if (field === 'last_answer') return lastAnswer
  const attribute = field.replace(/^attributes\./, '')
  return Object.hasOwn(person.attributes, attribute) ? person.attributes[attribute] : undefined
}

/** Returns the values for `{{…}}`: attributes by their names, and the person's own fields, which no attribute hides. */
export const valuesOf = ({ person, lastAnswer }: FlowState): Values => ({
  ...person.attributes,
  name: person.name,
  first_name: person.name.trim().split(/\s+/)[0] ?? '',
  phone: person.phone,
  last_answer: lastAnswer,
})
