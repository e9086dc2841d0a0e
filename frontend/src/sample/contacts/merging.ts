import { type MergedContact, mergedContact, type Taken } from '@parley/contracts/contact-merge'
import type { Contact } from '@parley/contracts/contacts'
import type { Story } from '@parley/sample/story'
import { refusal } from '../answer.ts'
import { touch } from './store.ts'

const merged = new WeakMap<Story, Map<string, { other: Contact; before: Contact; at: string }[]>>()

function mergesOf(story: Story, id: string) {
  const all = merged.get(story) ?? new Map()
  merged.set(story, all)
  const own: { other: Contact; before: Contact; at: string }[] = all.get(id) ?? []
  all.set(id, own)
  return own
}

export function merge(story: Story, kept: Contact, other: Contact, taken: Taken): Contact {
  mergesOf(story, kept.id).unshift({ other, before: { ...kept }, at: new Date().toISOString() })
  story.contacts.delete(other.id)
  return touch(Object.assign(kept, mergedContact(kept, other, taken)))
}

export const mergedInto = (story: Story, id: string): MergedContact[] =>
  mergesOf(story, id).map(({ other: { id: otherId, name, phone }, at }) => ({
    id: otherId,
    name,
    at,
    memberId: 'member-1',
    ...(phone && { phone }),
    undoUntil: new Date(Date.parse(at) + 30 * 86_400_000).toISOString(),
  }))

export function unmerge(story: Story, kept: Contact, otherId: string): Contact {
  const [latest] = mergesOf(story, kept.id)
  if (latest?.other.id !== otherId) throw refusal('not_found', 'There is no such merge.')
  mergesOf(story, kept.id).shift()
  story.contacts.set(otherId, latest.other)
  const { name, phone, tags, attributes } = latest.before
  return touch(Object.assign(kept, { name, tags, attributes, ...(phone && { phone }) }))
}
