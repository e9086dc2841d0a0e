import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import { type CampaignCounts, nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { isInSegment } from './contacts.ts'

/** Returns the contacts that an audience matches, in the order of their list. */
export function contactsOf(audience: Audience, contacts: ReadonlyMap<string, Contact>, now: Date): Contact[] {
  // No campaign of the story is for those whom another one has missed, or for the people of an import.
  if (audience.kind === 'campaign' || audience.kind === 'import') return []
  if (audience.kind === 'contacts') return audience.contactIds.flatMap((id) => contacts.get(id) ?? [])
  const matches =
    audience.kind === 'segment'
      ? (contact: Contact) => isInSegment(contact, audience.segmentId, now)
      : (contact: Contact) => carries(contact, audience)
  return [...contacts.values()].filter(matches)
}

function carries({ tags: carried }: Contact, { tags, match }: Extract<Audience, { kind: 'tags' }>): boolean {
  const isCarried = (tag: string) => carried.includes(tag)
  return match === 'all' ? tags.every(isCarried) : tags.some(isCarried)
}

/** Returns a function that tells whether an audience leaves a contact out. */
export const leftOutOf =
  ({ exclude }: Audience, now: Date) =>
  (contact: Contact): boolean =>
    exclude !== undefined &&
    (contact.tags.some((tag) => exclude.tags.includes(tag)) ||
      exclude.segmentIds.some((id) => isInSegment(contact, id, now)))

/** Returns the reason why a campaign leaves a contact out: the first that holds. `undefined` if it does not. */
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

/**
 * Counts the contacts of an audience, those left out, and those that can be written to.
 * @param isLeftOut {@link leftOutOf}
 */
export function countAudience(
  contacts: readonly Contact[],
  isLeftOut: (contact: Contact) => boolean = () => false,
): AudienceCount {
  const excluded = { ...nobodyExcluded }
  let reachable = 0
  for (const contact of contacts) {
    const reason = isLeftOut(contact) ? 'byChoice' : exclusionOf(contact)
    if (reason) excluded[reason] += 1
    else reachable += 1
  }
  return { audience: contacts.length, excluded, reachable }
}
