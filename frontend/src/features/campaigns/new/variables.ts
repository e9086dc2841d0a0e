import type { VariableSource } from '@parley/contracts/campaigns'
import type { Contact } from '@parley/contracts/contacts'
import { parsePhone } from '@parley/phone'

/** Fields of every contact that a message may name; `attributes.…` come from the contacts themselves. */
const commonFields = [
  { value: 'firstName', label: 'First name' },
  { value: 'name', label: 'Full name' },
  { value: 'phone', label: 'Phone number' },
  { value: 'username', label: 'WhatsApp username' },
] as const

/** What a placeholder can be filled from, with the attributes that these contacts have. */
export function contactFields(contacts: readonly Contact[]): { value: string; label: string }[] {
  const attributes = [...new Set(contacts.flatMap((contact) => Object.keys(contact.attributes)))].sort()
  return [...commonFields, ...attributes.map((name) => ({ value: `attributes.${name}`, label: labelOf(name) }))]
}

const labelOf = (name: string) => name.charAt(0).toLocaleUpperCase() + name.slice(1).replaceAll('_', ' ')

/** A contact's own value of a field; empty if it has none. */
function fieldOf(contact: Contact, field: string): string {
  if (field === 'firstName') return contact.name.trim().split(/\s+/)[0] ?? ''
  if (field === 'name') return contact.name
  if (field === 'phone') return contact.phone ? (parsePhone(contact.phone)?.international ?? contact.phone) : ''
  if (field === 'username') return contact.username ?? ''
  const attribute = field.replace(/^attributes\./, '')
  return Object.hasOwn(contact.attributes, attribute) ? (contact.attributes[attribute] ?? '') : ''
}

/** What one contact reads in the place of a placeholder. */
export const valueFor = (source: VariableSource, contact: Contact): string =>
  source.kind === 'text' ? source.text : fieldOf(contact, source.field).trim() || source.fallback

/** A source that is likely meant, by the placeholder's name. */
export function likelySource(key: string): { source: string; text: string; fallback: string } {
  if (/^(first_?name|1)$/.test(key)) return { source: 'firstName', text: '', fallback: 'there' }
  if (/^(full_?)?name$/.test(key)) return { source: 'name', text: '', fallback: 'customer' }
  return { source: 'text', text: '', fallback: '' }
}
