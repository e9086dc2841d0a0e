import type { Contact, NewContact } from '@parley/contracts/contacts'
import type { Story } from '@parley/sample/story'

const bins = new WeakMap<Story, Map<string, Contact>>()

/** Deleted contacts of a story, which can be restored. */
export function bin(story: Story): Map<string, Contact> {
  const deleted = bins.get(story) ?? new Map<string, Contact>()
  bins.set(story, deleted)
  return deleted
}

/** Counts the change, as a store does. */
export function touch(contact: Contact): Contact {
  contact.version += 1
  contact.updatedAt = new Date().toISOString()
  return contact
}

let added = 0

export function insert(story: Story, fields: NewContact, source: 'manual' | 'import'): Contact {
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
  story.contacts.set(contact.id, contact)
  return contact
}

export function phoneOwner(story: Story, phone: string): Contact | undefined {
  for (const contact of story.contacts.values()) if (contact.phone === phone) return contact
  return undefined
}
