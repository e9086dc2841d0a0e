import type { Audience, Missed } from '@parley/contracts/campaign-fields'
import { isId } from '@parley/service-kit/data/plain'
import type { MissedAudience } from '../missed.ts'

const mostLength = 200

export const nameOfTags = (tags: readonly string[]): string => `Tagged ${tags.join(', ')}`.slice(0, mostLength)

export const nameOfSegment = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `Segment ${name}`.slice(0, mostLength)

export const nameOfMissed = (earlier: string | undefined, { missed }: MissedAudience): string | undefined =>
  earlier === undefined ? undefined : `${earlier}: ${missedWords[missed]}`.slice(0, mostLength)

export const nameOfContacts = (count: number): string => (count === 1 ? '1 contact' : `${count} contacts`)

const missedWords: Record<Missed, string> = {
  failed: 'failed',
  not_delivered: 'not delivered',
  not_read: 'delivered, not read',
  not_replied: 'delivered, no reply',
}

/** Each contact once; what is no id is in no workspace. */
export const storedAudience = <A extends Audience>(audience: A): A =>
  audience.kind === 'contacts' ? { ...audience, contactIds: [...new Set(audience.contactIds)].filter(isId) } : audience
