import type { leftOutReasons } from '@parley/contracts/campaigns/campaign-recipients'
import type { Template } from '@parley/contracts/templates/templates'
import { countryOf } from '@parley/phone'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import { type ConsentValue, consentRefusal, recentRefusal } from '../../outbound/sending/admit-send.ts'

/** Campaigns in a row that fail to reach a contact before all others leave it out. */
export const maxUndelivered = 3

/** Rules that decide which contacts may be written to. */
export interface ConsentRules {
  /** Category of the template; undefined where it was removed, and nothing is sent. */
  readonly category: Template['category'] | undefined
  readonly needsOptIn: boolean
  /** Contacts who have had marketing since then get no more. */
  readonly recentSince: Date | undefined
}

/** Facts known about a contact of an audience. */
export interface Judged extends ConsentRules {
  /** Address at which it is reached. */
  readonly to: string | undefined
  /** The audience goes without it. */
  readonly isExcluded: boolean
  /** True where another contact in the audience has its address. */
  readonly isTaken: boolean
  readonly consent: Readonly<Record<'marketing' | 'utility', ConsentValue>>
  readonly isTooLong: boolean
  /** Fault of the file that it is to get. */
  readonly file?: 'missing' | 'invalid' | undefined
}
type Person = Pick<ContactRecord, 'blocked' | 'lastMarketingAt' | 'undeliveredIn'>

/** Returns the reason why a contact of an audience is left out: the first that holds; undefined where none does. */
export function leftOutReason(person: Person, judged: Judged): (typeof leftOutReasons)[number] | undefined {
  const { to, category, needsOptIn, recentSince } = judged
  if (judged.isExcluded) return 'excluded'
  if (judged.isTaken) return 'duplicate_address'
  if (person.blocked) return 'blocked'
  if (to === undefined) return 'no_address'
  const refusal = category && consentRefusal(category, judged.consent, needsOptIn)
  if (refusal) return refusal
  if (category === 'marketing' && isRestricted(to)) return 'country_restricted'
  if ((person.undeliveredIn?.length ?? 0) >= maxUndelivered) return 'unreachable'
  const recent = category && recentRefusal(category, person, recentSince)
  if (recent) return recent
  if (judged.file) return judged.file === 'missing' ? 'no_file' : 'bad_file_address'
  return judged.isTooLong ? 'value_too_long' : undefined
}

/** Area codes of numbers that begin with +1, which the United States share with Canada and others. */
const areas = Array.from({ length: 800 }, (_, index) => String(index + 200))
const isOfUs = (area: string): boolean => countryOf(`+1${area}2345678`) === 'US'

/**
 * Phone numbers with an area code of the United States, to which WhatsApp delivers no marketing: those of the phone library, as an
 * expression, which the database can answer too.
 */
export const usPhone = new RegExp(`^\\+1(?:${areas.filter(isOfUs).join('|')})\\d{7}$`)
/** A user id begins with the country of the account. */
export const usUserId = /^US\./

/** Returns whether WhatsApp delivers no marketing to an address. @param to phone number, or user id. */
export const isRestricted = (to: string): boolean => usPhone.test(to) || usUserId.test(to)
