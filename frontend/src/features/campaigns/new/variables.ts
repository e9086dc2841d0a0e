import type { VariableSource } from '@parley/contracts/campaigns/campaign-fields'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { offerEndsKey } from '@parley/contracts/templates/template-offers'
import { templateValue } from '@parley/flow/template-values'
import { writtenPhone } from '@parley/phone'
import { attributeLabel } from '../../../lib/choices/attributes.ts'

type Named = Pick<Attribute, 'name' | 'label'>

/** Fields of every contact that a message may name; `attributes.…` come from the contacts themselves. */
const commonFields = [
  { value: 'firstName', label: 'First name' },
  { value: 'name', label: 'Full name' },
  { value: 'phone', label: 'Phone number' },
  { value: 'username', label: 'WhatsApp username' },
] as const

/** Returns the fields that a placeholder can be filled from: those that are defined or that these contacts have. */
export function contactFields(
  contacts: readonly Contact[],
  defined: readonly Attribute[],
): { value: string; label: string }[] {
  const attributes = namedFields(contacts, defined).map(({ name, label }) => ({ value: `attributes.${name}`, label }))
  return [...commonFields, ...attributes.sort((left, right) => left.label.localeCompare(right.label))]
}

/** Returns the fields that are defined or that these contacts have, by name. */
export function namedFields(contacts: readonly Contact[], defined: readonly Attribute[] = []): Named[] {
  const known = contacts.flatMap((contact) => Object.keys(contact.attributes))
  const names = [...new Set([...defined.map(({ name }) => name), ...known])]
  return names.map((name) => ({ name, label: attributeLabel(name, defined) }))
}

/** Returns a contact's value in place of a placeholder. */
export const valueFor = (source: VariableSource, { phone, ...contact }: Contact): string =>
  templateValue(source, { ...contact, ...(phone && { phone: writtenPhone(phone) }) })

/** A source that is likely meant, by the placeholder's name: `city` is the field City, `order_no` the field “Order No.”. */
export function likelySource(
  key: string,
  defined: readonly Named[] = [],
): { source: string; text: string; fallback: string } {
  if (key === offerEndsKey) return { source: 'text', text: '', fallback: '' }
  if (/^(first_?name|1)$/.test(key)) return { source: 'firstName', text: '', fallback: 'there' }
  if (/^(full_?)?name$/.test(key)) return { source: 'name', text: '', fallback: 'customer' }
  const meant = plain(key)
  const field = defined.find(({ name, label }) => plain(name) === meant || plain(label) === meant)
  return { source: field && meant !== '' ? `attributes.${field.name}` : 'text', text: '', fallback: '' }
}

/** Returns the fields that variables in the address of a file stand for, as far as their names tell. */
export function likelyFields(keys: readonly string[], defined?: readonly Named[]): Record<string, string> {
  const found = keys.map((key) => [key, likelySource(key, defined).source])
  return Object.fromEntries(found.filter(([, source]) => source !== 'text'))
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
