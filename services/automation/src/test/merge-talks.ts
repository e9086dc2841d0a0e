import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { Talk } from './talk.ts'

type Thread = NonNullable<Extract<RecordedEvent, { type: 'contact.merged' }>['data']['threads']>[number]

const isWithBot = ({ owner }: Pick<Talk, 'owner'>) => owner.kind === 'bot'

/** Has a customer's conversation come into that of another, as messaging does. @returns what its event says of them. */
export function joinTalks(kept: Talk, other: Talk): Thread {
  const epoch = Math.max(kept.epoch, other.epoch) + 1
  other.merged = { id: kept.id, owner: other.owner, before: kept.owner }
  if (kept.owner.kind === 'nobody') kept.owner = other.owner
  if (other.status === 'open') kept.status = 'open'
  kept.personAt ??= other.personAt
  kept.waits ||= other.waits
  kept.unread.push(...other.unread)
  kept.sent.push(...other.sent.splice(0))
  kept.others.push(other.id)
  // Only what waits for an answer says something of the order in which things have happened there.
  const last = other.log.findLastIndex((entry) => !entry.startsWith('customer'))
  kept.log.push(...other.log.splice(0).slice(last + 1))
  kept.epoch = epoch
  Object.assign(other, { status: 'closed', unread: [], waits: false, personAt: null })
  return { keptId: kept.id, otherId: other.id, epoch, ...(isWithBot(kept) && { session: 'kept' }) }
}

/** Separates them again: what was said stays where it is. */
export function partTalks(kept: Talk, other: Talk): Thread {
  const epoch = Math.max(kept.epoch, other.epoch) + 1
  const { owner, before } = other.merged ?? { owner: other.owner, before: kept.owner }
  const isOfOther = before.kind === 'nobody' && owner.kind === kept.owner.kind && owner.id === kept.owner.id
  if (isOfOther) kept.owner = before
  other.owner = owner.kind === 'bot' && !isOfOther ? { kind: 'nobody' } : owner
  Object.assign(other, { merged: undefined, status: 'open', epoch })
  kept.epoch = epoch
  const session = isWithBot(kept) ? 'kept' : isWithBot(other) ? 'other' : undefined
  return { keptId: kept.id, otherId: other.id, epoch, ...(session && { session }) }
}
