import type { Contact } from '@parley/contracts/contacts/contacts'
import { builtInSegments, type Segment } from '@parley/contracts/contacts/segments'
import type { Tag } from '@parley/contracts/contacts/tags'
import { dayMs, minuteMs } from './facts.ts'
import { nameOf, phoneOf } from './people.ts'
import { createRandom, type Random } from './random.ts'

/** Tags of the sample, with the share of contacts that carry each. */
const tagShares = [
  { name: 'customer', colour: 'green', share: 0.46 },
  { name: 'lead', colour: 'blue', share: 0.23 },
  { name: 'newsletter', colour: 'grey', share: 0.19 },
  { name: 'repeat', colour: 'violet', share: 0.12 },
  { name: 'vip', colour: 'amber', share: 0.05 },
  { name: 'wholesale', colour: 'violet', share: 0.03 },
  { name: 'support', colour: 'red', share: 0.02 },
] as const

const cities = ['Bengaluru', 'Mumbai', 'Pune', 'Chennai', 'Hyderabad', 'Delhi', 'Kochi', 'Kolkata'] as const

/** Contacts by id, the one heard of last first. */
export function createContacts(now: Date, count: number): Map<string, Contact> {
  const random = createRandom(23)
  const contacts = new Map<string, Contact>()
  // Hours since the last contact grow slowly at first: today's conversations lie minutes apart, old ones weeks.
  for (let index = 0; index < count; index += 1) {
    const contact = createContact(index, count, now, random)
    contacts.set(contact.id, contact)
  }
  return contacts
}

function createContact(index: number, count: number, now: Date, random: Random): Contact {
  const fraction = index / count
  const never = fraction > 0.94
  const ago = 2 * minuteMs + index * 3 * minuteMs + fraction ** 2 * 400 * dayMs
  const lastContactAt = never ? null : new Date(now.getTime() - ago).toISOString()
  const createdAt = new Date(now.getTime() - ago - random.whole(1, 300) * dayMs).toISOString()
  const optedOut = random.chance(0.03)
  return {
    id: `contact-${index + 1}`,
    createdAt,
    updatedAt: lastContactAt ?? createdAt,
    version: 1,
    name: nameOf(index, random),
    phone: phoneOf(index),
    tags: tagShares.filter(({ share }) => random.chance(share)).map(({ name }) => name),
    attributes: { city: random.pick(cities) },
    optIn: { marketing: optedOut ? 'out' : 'in', source: optedOut ? 'keyword' : 'checkout', at: createdAt },
    lastContactAt,
    source: random.pick(['inbound', 'inbound', 'import', 'manual', 'api']),
    blocked: random.chance(0.004),
  }
}

/** Every tag in use, with its colour; a tag that is new to the sample is grey. */
export function tagsOf(contacts: Iterable<Contact>): Tag[] {
  const counts = new Map<string, number>(tagShares.map(({ name }) => [name, 0]))
  for (const { tags } of contacts) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([name, contactCount]) => ({
    name,
    colour: tagShares.find((known) => known.name === name)?.colour ?? 'grey',
    contacts: contactCount,
  }))
}

const isActive = (contact: Contact, now: Date): boolean =>
  contact.lastContactAt !== null && now.getTime() - Date.parse(contact.lastContactAt) <= 30 * dayMs

/** True if the contact belongs to the segment; every contact belongs to `all`. */
export function isInSegment(contact: Contact, segmentId: string, now: Date): boolean {
  if (segmentId === 'vip') return contact.tags.includes('vip')
  if (segmentId === 'leads') return contact.tags.includes('lead')
  if (segmentId === 'active') return isActive(contact, now)
  return segmentId === 'all'
}

/** The four segments with how many contacts each has now. */
export function segmentsOf(contacts: Iterable<Contact>, now: Date): Segment[] {
  const counts = new Map<string, number>()
  for (const contact of contacts)
    for (const { id } of builtInSegments) if (isInSegment(contact, id, now)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return builtInSegments.map((segment) => ({ ...segment, count: counts.get(segment.id) ?? 0 }))
}
