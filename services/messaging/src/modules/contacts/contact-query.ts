import type { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { ContactQuery } from '@parley/contracts/contacts/contacts'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { otherDigits } from '@parley/phone/line'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ListSort } from '@parley/service-kit/data/page'
import { beginsWith, digitsOf, wordsOf } from '../../platform/search-text.ts'
import { wholeGramsOf } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Filters beside conditions and a segment, which only the workspace's records turn into parts. */
export type ContactFilter = Pick<
  EndpointInput<typeof contactsApi.list>['query'],
  'q' | 'import' | 'tags' | 'lastContact'
>

/** One part of a filter, and the index that answers it where one does. */
export interface ContactPart {
  readonly filter: Filter<ContactRecord>
  readonly index?: string
  /** Folded beginning of a word of the contact. */
  readonly word?: string
}

/** Contacts that are named. */
export const partOfIds = (ids: readonly string[]): ContactPart => ({ index: '_id_', filter: { _id: { $in: ids } } })

export const contactOrders = {
  last_contact: { index: 'last', field: 'lastContactAt', direction: -1 },
  name: { index: 'name', field: 'nameKey', direction: 1 },
  newest: { index: 'newest', field: '_id', direction: -1 },
} satisfies Record<NonNullable<ContactQuery['sort']>, ListSort<ContactRecord>>

const dayMs = 86_400_000
const sinceDays = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)
const maxWords = 10

/** The parts of a query, which all have to hold. */
export function partsOf({ q, tags, lastContact, import: importId }: ContactFilter, now: Date): ContactPart[] {
  const parts: ContactPart[] = []
  if (importId !== undefined) parts.push({ index: 'imports', filter: { importIds: importId } })
  if (tags && tags.length > 0) parts.push({ index: 'tags', filter: { tags: { $in: tags } } })
  if (lastContact) parts.push({ index: 'last', filter: { lastContactAt: rangeOf(lastContact, now) } })
  if (q) parts.push(...searchParts(q))
  return parts
}

function rangeOf(range: NonNullable<ContactFilter['lastContact']>, now: Date) {
  if (range === 'never') return null
  const start = sinceDays(now, { '7d': 7, '30d': 30, '90d': 90, older: 90 }[range])
  return range === 'older' ? { $lt: start } : { $gte: start }
}

/** Digits search the phone number; each word has to begin a word of the name, the username or a tag. */
function searchParts(q: string): ContactPart[] {
  const digits = digitsOf(q)
  if (digits !== undefined) return phoneParts(digits)
  const words = wordsOf(q, maxWords)
  // Text that holds no word at all is in no name.
  if (words.length === 0) return [{ index: 'words', filter: { words: q } }]
  return words.map((word) => ({ index: 'words', filter: { words: beginsWith(word) }, word }))
}

/** Matches any part of a number from three digits on; fewer match its beginning, after the plus. */
function phoneParts(digits: string): ContactPart[] {
  if (digits.length < 3) return [{ index: 'phone', filter: { phone: new RegExp(`^\\+${digits}`) } }]
  if (digits.length === 3) return [{ index: 'grams', filter: { grams: beginsWith(digits) } }]
  const ways = [digits, ...otherDigits(digits)]
  // The digits may be spread over the number in another order: the number itself has the last word.
  const whole = digits.length > 4 || ways.length > 1 ? [{ filter: { phone: new RegExp(ways.join('|')) } }] : []
  const grams = ways.map((way) => spread(wholeGramsOf(way)))
  const places = (grams[0] ?? []).map((_, index) => [
    ...new Set(grams.flatMap((gramsOfWay) => gramsOfWay[index] ?? gramsOfWay.at(-1) ?? [])),
  ])
  return [...places.map(partOfGrams), ...whole]
}

const partOfGrams = (grams: readonly string[]): ContactPart => ({
  index: 'grams',
  filter: { grams: grams.length === 1 ? grams[0] : { $in: grams } } as ContactPart['filter'],
})

/** The first, the middle and the last one: as good as all of them for finding a rare one. */
function spread(grams: readonly string[]): string[] {
  const places = [0, Math.floor(grams.length / 2), grams.length - 1]
  return [...new Set(places.flatMap((index) => grams[index] ?? []))]
}

const hidden = ({ filter }: ContactPart) => ({ $nor: [{ $nor: [filter] }] })

/**
 * All parts as one filter. The planner of MongoDB takes two conditions on one list for one index scan and then reads the
 * wider of the two: what is not to lead is hidden in a double negation, which it reads as a plain test.
 * @param leading the part by whose index the records are read.
 */
export function together(parts: readonly ContactPart[], leading: ContactPart | undefined, live = true) {
  const rest = parts.filter((part) => part !== leading)
  const others = leading ? rest.map(hidden) : rest.map(({ filter }) => filter)
  return {
    live,
    ...leading?.filter,
    ...(others.length > 0 && { $and: others }),
  } as Filter<ContactRecord>
}
