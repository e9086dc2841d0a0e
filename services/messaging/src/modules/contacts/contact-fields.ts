import { isDeepStrictEqual } from 'node:util'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { parsePhone } from '@parley/phone'
import { isSameLine, lineForms } from '@parley/phone/line'
import { foldText } from '@parley/rules/fold-text'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { Update } from '@parley/service-kit/data/collection-types'
import { nameWordsOf } from '../../platform/search-text.ts'
import type { ContactRecord, FormerIdentity } from './contacts.model.ts'

const maxNameKey = 60

/** Names of the identities of a contact. */
export const identityNames = { phone: 'phone number', waUserId: 'WhatsApp user id' } as const

/** The number by which WhatsApp names a contact, where it is not the phone number itself; `undefined` where it is not known. */
export const waPhoneOf = ({ phone, waPhone }: Pick<ContactRecord, 'phone' | 'waPhone'>): string | undefined =>
  waPhone?.of === phone ? waPhone?.number : undefined

/** Returns the number by which a contact is written to: the form that WhatsApp has confirmed, else the stored one. */
export const reachedBy = (contact: Pick<ContactRecord, 'phone' | 'waPhone'>): string | undefined =>
  waPhoneOf(contact) ?? contact.phone

/** {@link ContactRecord.line} of a contact that gets a number. */
export function lineOf(phone: string | undefined): string | undefined {
  const [line, ...others] = phone === undefined ? [] : lineForms(phone)
  return others.length > 0 ? line : undefined
}

type Addressed = Pick<ContactRecord, 'phone' | 'waPhone' | 'waUserId'>
type Named = Record<'phone' | 'waUserId', string | undefined>

/**
 * Finds people among contacts. The user id counts before the phone number, since numbers change hands; the number as it is stored
 * before another way of writing it, and that before the one by which WhatsApp has named a contact.
 */
export function finding<T extends Addressed>(known: readonly T[]): (person: Named) => T | undefined {
  const by = (key: (contact: T) => string | undefined) =>
    new Map(
      known.toReversed().flatMap((contact) => [key(contact) ?? []].flat().map((name) => [name, contact] as const)),
    )
  const [byUserId, byPhone, byWaPhone] = [by(({ waUserId }) => waUserId), by(({ phone }) => phone), by(waPhoneOf)]
  const byLine = by(({ phone }) => phone && lineForms(phone)[0])
  return ({ phone, waUserId }) =>
    (waUserId !== undefined ? byUserId.get(waUserId) : undefined) ??
    (phone !== undefined ? (byPhone.get(phone) ?? byLine.get(lineForms(phone)[0]) ?? byWaPhone.get(phone)) : undefined)
}

/** Returns whether two contacts are known by one identity: the user id, or the phone number in whatever way it is written. */
export const isKnownBy = (key: 'phone' | 'waUserId', contact: Addressed, value: string): boolean => {
  const contactValue = contact[key]
  return contactValue !== undefined && (key === 'phone' ? isSameLine(contactValue, value) : contactValue === value)
}

const identityFields = ['name', 'phone', 'waUserId', 'username'] as const
const maxFormer = 50

/**
 * Returns the identities that a contact loses by an update, beside those lost earlier: an erasure looks for them as well.
 * @returns undefined where the update takes nothing away.
 */
export function formerAfter(
  record: Partial<ContactRecord>,
  update: Update<ContactRecord>,
): FormerIdentity[] | undefined {
  if (!('$set' in update || '$unset' in update)) return undefined
  const { $set = {}, $unset = {} } = update
  const lost = identityFields.filter(
    (key) => record[key] !== undefined && (key in $unset || (key in $set && $set[key] !== record[key])),
  )
  if (lost.length === 0) return undefined
  const former = Object.fromEntries(lost.map((key) => [key, record[key]]))
  const before = (record.former ?? []).filter((one) => !isDeepStrictEqual(omitUndefined(one), former))
  return [...before, former].slice(-maxFormer)
}

type Searched = Pick<ContactRecord, 'name' | 'tags' | 'phone' | 'username'>

/** Returns the keys by which lists find and sort a contact; recomputed with every change of these fields. */
export const searchKeys = ({ name, tags, phone, username }: Searched) => ({
  nameKey: foldText(name).replaceAll(/\s+/g, ' ').trim().slice(0, maxNameKey),
  words: nameWordsOf([name, username, ...tags].join(' ')),
  grams: phone === undefined ? [] : gramsOf(phone),
})

/** Returns the initial fields of a new contact. */
export const newContactFields = (source: ContactRecord['source']) => ({
  optIn: { marketing: 'unknown' as const, source },
  source,
  blocked: false,
  live: true,
  editedVersion: 1,
})

/** Returns the one form of a phone number, so that no contact is stored twice. A number that cannot exist stays as it is. */
export const normalPhone = (phone: string): string => parsePhone(phone)?.e164 ?? phone

export const toAttributes = (attributes: Record<string, string>): ContactRecord['attributes'] =>
  Object.entries(attributes).map(([k, v]) => ({ k, v }))

/** Returns the attributes by name. */
export const attributesOf = ({ attributes }: Pick<ContactRecord, 'attributes'>): Record<string, string> =>
  Object.fromEntries(attributes.map(({ k, v }) => [k, v]))

/** A contact as its endpoints answer with it. */
export function toContact(record: ContactRecord): Contact {
  const { id, version, name, phone, waUserId, username, tags, optIn, lastContactAt, source, blocked } = record
  return {
    id,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    version,
    name,
    ...(phone !== undefined && { phone }),
    ...(waUserId !== undefined && { waUserId }),
    ...(username !== undefined && { username }),
    tags: [...tags],
    attributes: attributesOf(record),
    optIn: { marketing: optIn.marketing, source: optIn.source, at: optIn.at?.toISOString() ?? null },
    lastContactAt: lastContactAt?.toISOString() ?? null,
    source,
    blocked,
    ...(blocked && record.blockedOn?.length && { blockedAtWhatsApp: true }),
  }
}

const gramLength = 4

/**
 * Returns the keys that a phone number is found by: every four digits in a row, and the one, two and three at its end, so that
 * three digits begin one of these wherever they stand.
 */
function gramsOf(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '')
  return [...new Set(Array.from(digits, (_, index) => digits.slice(index, index + gramLength)))]
}

/** The grams of digits that are looked for; shorter ones have none. */
export const wholeGramsOf = (digits: string): string[] => gramsOf(digits).filter((gram) => gram.length === gramLength)
