import type { Contact, NewContact } from '@parley/contracts/contacts/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'

const bins = new WeakMap<SampleDataset, Map<string, Contact>>()

/** Deleted contacts of a story, which can be restored. */
export function bin(sampleDataset: SampleDataset): Map<string, Contact> {
  const deleted = bins.get(sampleDataset) ?? new Map<string, Contact>()
  bins.set(sampleDataset, deleted)
  return deleted
}

/** Counts the change, as a store does. */
export function touch(contact: Contact): Contact {
  contact.version += 1
  contact.updatedAt = new Date().toISOString()
  return contact
}

let added = 0

export function insert(sampleDataset: SampleDataset, fields: NewContact, source: 'manual' | 'import'): Contact {
  const at = new Date().toISOString()
  added += 1
  const contact: Contact = {
    ...fields,
    id: `contact-added-${added}`,
    createdAt: at,
    updatedAt: at,
    version: 1,
    optIn: { marketing: 'unknown', source, at: null },
    lastContactAt: null,
    source,
    blocked: false,
  }
  sampleDataset.contacts.set(contact.id, contact)
  return contact
}

export function phoneOwner(sampleDataset: SampleDataset, phone: string): Contact | undefined {
  for (const contact of sampleDataset.contacts.values()) if (contact.phone === phone) return contact
  return undefined
}
