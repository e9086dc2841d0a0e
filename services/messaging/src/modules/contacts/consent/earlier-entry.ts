import type { ConsentSource } from '@parley/contracts/contacts/consent'
import { lineForms, lineKey } from '@parley/phone/line'
import { waPhoneOf } from '../contact-fields.ts'
import type { ContactRecord } from '../contacts.service.ts'
import type { NewEntryRecord } from './consent.repository.ts'

/** Identity by which a person is reached. */
export type Who = Pick<ContactRecord, 'phone' | 'waPhone' | 'waUserId'>

/** Returns the addresses that identify an opted-out person: the line, in whatever way its number is written, and the user id. */
export function addressesOf(person: Who): string[] {
  const numbers = numbersOf(person).map(lineKey)
  return [...new Set([...numbers, person.waUserId ?? []].flat())]
}

/** {@link addressesOf}, and every other way of writing them: before lines were told apart from numbers, those were stored. */
export const addressFormsOf = (person: Who): string[] => [...new Set(addressesOf(person).flatMap(lineForms))]

/** Returns whether two contacts reach one phone. */
export function areOnePhone(one: Who, other: Who): boolean {
  const lines = new Set(numbersOf(one).map(lineKey))
  return numbersOf(other).some((number) => lines.has(lineKey(number)))
}

const numbersOf = (person: Who): string[] => [person.phone ?? [], waPhoneOf(person) ?? []].flat()

/** Returns the consent that a contact came with, without an entry of its own: it is recorded with the next entry. */
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
