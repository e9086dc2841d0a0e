import type { ConsentSource } from '@parley/contracts/consent'
import type { ContactRecord } from '../contacts/contacts.service.ts'
import type { NewEntryRecord } from './consent.repository.ts'

/** How somebody is reached. */
export type Who = Pick<ContactRecord, 'phone' | 'waUserId'>

export const addressesOf = ({ phone, waUserId }: Who): string[] => [phone ?? [], waUserId ?? []].flat()

/** What a contact came with, without an entry of its own: it is recorded with the next entry. */
export function earlierEntry({ id, createdAt, optIn }: ContactRecord): Omit<NewEntryRecord, 'recordedAt'> | undefined {
  if (optIn.marketing === 'unknown' || optIn.entryId !== undefined) return undefined
  const { marketing: value, at = createdAt, source: note } = optIn
  return {
    contactId: id,
    category: 'marketing',
    value,
    source: sourceOf(note),
    note,
    at,
    key: `earlier:${id}:${at.getTime()}`,
  }
}

const sourceOf = (word: string): ConsentSource =>
  word === 'keyword' ? 'keyword' : word === 'whatsapp' ? 'platform' : word === 'checkout' ? 'form' : 'import'
