import type { VariableSource } from '@parley/contracts/campaigns/campaign-fields'
import { isNamed } from '@parley/rules/contact-name'
import { cleanValue } from '@parley/rules/template-values'

/** Fields that a message may name of its contact. */
export interface NamedContact {
  readonly name: string
  /** Phone number as people read it. */
  readonly phone?: string | undefined
  readonly username?: string | undefined
  readonly attributes: Readonly<Record<string, string>>
}

const attributePrefix = 'attributes.'

/** Returns whether a field of contacts can fill a placeholder. */
export const isNameable = (field: string): boolean =>
  ['firstName', 'name', 'phone', 'username'].includes(field) || field.startsWith(attributePrefix)

/** Returns the value that one contact reads in place of a placeholder: its own, or the fallback where it has none. */
export const templateValue = (source: VariableSource, contact: NamedContact): string =>
  source.kind === 'text'
    ? cleanValue(source.text)
    : cleanValue(fieldOf(contact, source.field)) || cleanValue(source.fallback)

/** Returns whether that is the fallback. */
export const usesFallback = (source: VariableSource, contact: NamedContact): boolean =>
  source.kind === 'field' && cleanValue(fieldOf(contact, source.field)) === ''

/** Returns what a contact has in a field; empty where it has nothing. */
export function fieldOf({ name, phone, username, attributes }: NamedContact, field: string): string {
  // "Hello +9198…" would be no greeting.
  const shownName = isNamed({ name, username }) ? name : ''
  if (field === 'firstName') return shownName.trim().split(/\s+/)[0] ?? ''
  if (field === 'name') return shownName
  if (field === 'phone') return phone ?? ''
  if (field === 'username') return username ?? ''
  const attribute = field.slice(attributePrefix.length)
  return Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? '') : ''
}
