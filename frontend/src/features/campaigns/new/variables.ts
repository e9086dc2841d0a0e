import type { VariableSource } from '@parley/contracts/campaigns'
import type { Contact } from '@parley/contracts/contacts'
import { templateValue } from '@parley/flow/template-values'
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

/** What one contact reads in the place of a placeholder. */
export const valueFor = (source: VariableSource, { phone, ...contact }: Contact): string =>
  templateValue(source, { ...contact, ...(phone && { phone: parsePhone(phone)?.international ?? phone }) })

/** A source that is likely meant, by the placeholder's name. */
export function likelySource(key: string): { source: string; text: string; fallback: string } {
  if (/^(first_?name|1)$/.test(key)) return { source: 'firstName', text: '', fallback: 'there' }
  if (/^(full_?)?name$/.test(key)) return { source: 'name', text: '', fallback: 'customer' }
  return { source: 'text', text: '', fallback: '' }
}
