import type { Audience } from '@parley/contracts/campaign-fields'
import type { CampaignCounts } from '@parley/contracts/campaigns'
import type { Contact } from '@parley/contracts/contacts'
import { isInSegment } from './contacts.ts'

/** The contacts that an audience matches, in the order of their list. Several tags match whoever carries any of them. */
export function contactsOf(audience: Audience, contacts: ReadonlyMap<string, Contact>, now: Date): Contact[] {
  // No campaign of the story is for those whom another one has missed.
  if (audience.kind === 'campaign') return []
  if (audience.kind === 'contacts') return audience.contactIds.flatMap((id) => contacts.get(id) ?? [])
  const matches =
    audience.kind === 'segment'
      ? (contact: Contact) => isInSegment(contact, audience.segmentId, now)
      : (contact: Contact) => contact.tags.some((tag) => audience.tags.includes(tag))
  return [...contacts.values()].filter(matches)
}

/** Why a campaign leaves a contact out: the first reason that holds. `undefined` if it does not. */
export function exclusionOf(contact: Contact): 'optedOut' | 'blocked' | 'unreachable' | undefined {
  if (contact.blocked) return 'blocked'
  if (contact.phone === undefined && contact.waUserId === undefined) return 'unreachable'
  return contact.optIn.marketing === 'out' ? 'optedOut' : undefined
}

export interface AudienceCount {
  audience: number
  excluded: CampaignCounts['excluded']
  reachable: number
}

/** How many contacts an audience has, who of them is left out, and how many can be written to. */
export function countAudience(contacts: readonly Contact[]): AudienceCount {
  const excluded = { optedOut: 0, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  let reachable = 0
  for (const contact of contacts) {
    const reason = exclusionOf(contact)
    if (reason) excluded[reason] += 1
    else reachable += 1
  }
  return { audience: contacts.length, excluded, reachable }
}
