import type { leftOutReasons } from '@parley/contracts/campaigns/campaign-recipients'
import type { Template } from '@parley/contracts/templates/templates'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import { type ConsentValue, consentRefusal, recentRefusal } from '../../outbound/sending/admit-send.ts'
import { isRestricted } from './restricted-country.ts'

/** Whoever this many campaigns in a row have not reached is written to by no other one. */
export const maxUndelivered = 3

/** What decides who may be written to. */
export interface ConsentRules {
  /** Of the template; undefined where it was removed, and nothing is sent. */
  readonly category: Template['category'] | undefined
  readonly needsOptIn: boolean
  /** Marketing goes to nobody who has had some since then. */
  readonly recentSince: Date | undefined
}

/** What is known of a contact of an audience. */
export interface Judged extends ConsentRules {
  /** Where it is reached. */
  readonly to: string | undefined
  /** The audience goes without it. */
  readonly isExcluded: boolean
  /** Somebody else in the audience has its address. */
  readonly isTaken: boolean
  readonly consent: Readonly<Record<'marketing' | 'utility', ConsentValue>>
  readonly isTooLong: boolean
}
type Person = Pick<ContactRecord, 'blocked' | 'lastMarketingAt' | 'undeliveredIn'>

/** Why a contact of an audience is left out: the first reason that holds; undefined where none does. */
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
  return recent ?? (judged.isTooLong ? 'value_too_long' : undefined)
}
