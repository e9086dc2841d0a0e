import { type MergedContact, mergedContact, type Taken } from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { refusal } from '../answer.ts'
import { touch } from './store.ts'

const merged = new WeakMap<SampleDataset, Map<string, { other: Contact; before: Contact; at: string }[]>>()

function mergesOf(sampleDataset: SampleDataset, id: string) {
  const all = merged.get(sampleDataset) ?? new Map()
  merged.set(sampleDataset, all)
  const own: { other: Contact; before: Contact; at: string }[] = all.get(id) ?? []
  all.set(id, own)
  return own
}

export function merge(sampleDataset: SampleDataset, kept: Contact, other: Contact, taken: Taken): Contact {
  mergesOf(sampleDataset, kept.id).unshift({ other, before: { ...kept }, at: new Date().toISOString() })
  sampleDataset.contacts.delete(other.id)
  return touch(Object.assign(kept, mergedContact(kept, other, taken)))
}

export const mergedInto = (sampleDataset: SampleDataset, id: string): MergedContact[] =>
  mergesOf(sampleDataset, id).map(({ other: { id: otherId, name, phone }, at }) => ({
    id: otherId,
    name,
    at,
    memberId: 'member-1',
    ...(phone && { phone }),
    undoUntil: new Date(Date.parse(at) + 30 * 86_400_000).toISOString(),
  }))

export function unmerge(sampleDataset: SampleDataset, kept: Contact, otherId: string): Contact {
  const [latest] = mergesOf(sampleDataset, kept.id)
  if (latest?.other.id !== otherId) throw refusal('not_found', 'There is no such merge.')
  mergesOf(sampleDataset, kept.id).shift()
  sampleDataset.contacts.set(otherId, latest.other)
  const { name, phone, tags, attributes } = latest.before
  return touch(Object.assign(kept, { name, tags, attributes, ...(phone && { phone }) }))
}
