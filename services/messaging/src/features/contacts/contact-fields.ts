import { isDeepStrictEqual } from 'node:util'
import type { Contact } from '@parley/contracts/contacts'
import { foldText } from '@parley/contracts/fold-text'
import { parsePhone } from '@parley/phone'
import type { Update } from '@parley/service-kit/data/collection-types'
import { wordsOf } from '../../search-text.ts'
import type { ContactRecord, FormerIdentity } from './contacts.model.ts'
import { gramsOf } from './phone-grams.ts'

const longestNameKey = 60

/** What a contact is known by. */
export const identityNames = { phone: 'phone number', waUserId: 'WhatsApp user id' } as const

/** The number by which WhatsApp names a contact, where it is not the phone number itself; `undefined` where it is not known. */
export const waPhoneOf = ({ phone, waPhone }: Pick<ContactRecord, 'phone' | 'waPhone'>): string | undefined =>
  waPhone?.of === phone ? waPhone?.number : undefined

const identityFields = ['name', 'phone', 'waUserId', 'username'] as const
const maxFormer = 50

/**
 * What was known of a contact before an update and is not after it, beside what was known of it earlier: an erasure looks for that
 * as well. @returns undefined where the update takes nothing away.
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
  const before = (record.former ?? []).filter((one) => !isDeepStrictEqual(present(one), former))
  return [...before, former].slice(-maxFormer)
}

const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

type Searched = Pick<ContactRecord, 'name' | 'tags' | 'phone' | 'username'>

/** What lists find and sort a contact by; made anew with every change of these fields. */
export const searchKeys = ({ name, tags, phone, username }: Searched) => ({
  nameKey: foldText(name).replaceAll(/\s+/g, ' ').trim().slice(0, longestNameKey),
  words: wordsOf([name, username, ...tags].join(' ')),
  grams: phone === undefined ? [] : gramsOf(phone),
})

/** What every new contact begins with. */
export const newContactFields = (source: ContactRecord['source']) => ({
  optIn: { marketing: 'unknown' as const, source },
  source,
  blocked: false,
  live: true,
  editedVersion: 1,
})

/** One way of writing each phone number, so that nobody is stored twice. What is no number that can exist stays as it is. */
export const normalPhone = (phone: string): string => parsePhone(phone)?.e164 ?? phone

export const toAttributes = (attributes: Record<string, string>): ContactRecord['attributes'] =>
  Object.entries(attributes).map(([k, v]) => ({ k, v }))

/** By name. */
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
