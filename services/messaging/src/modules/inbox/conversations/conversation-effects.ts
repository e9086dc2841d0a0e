import type { NewEvent } from '@parley/contracts/platform/events'
import type { ConversationRecord } from './conversations.model.ts'
import type { ConversationChange } from './conversations.repository.ts'

/** Effects of a change of a conversation that flows may wait for. */
export type Became = Extract<NewEvent, { type: 'conversation.changed' }>['data']['became']
type Owned = NonNullable<NonNullable<Became>['owned']>
type OwnedReason = Owned['reason']

/**
 * Returns what a change of one conversation did.
 * @param reason why it has another epoch, unless it was closed.
 * @param by what an automation did by it.
 */
export const changeFrom =
  (before: ConversationRecord, reason: OwnedReason, by: Pick<Owned, 'claimed' | 'completed'> = {}) =>
  (after: ConversationRecord): Became => {
    const isClosed = after.status === 'closed' && before.status !== 'closed'
    const { ownerEpoch: epoch } = after
    const { openedAt } = before
    const closing = isClosed && openedAt && { openedAt: openedAt.toISOString() }
    return becameOf({
      ...(after.status === 'open' && before.status === 'closed' && { opened: true }),
      ...(isClosed && { closed: true }),
      ...(epoch !== before.ownerEpoch && { owned: { epoch, reason: isClosed ? 'closed' : reason, ...by, ...closing } }),
    })
  }

/** The same for what messages did. @param at the time that was given to those that were opened or woken. */
export function appliedBy(changes: readonly ConversationChange[], at: Date) {
  const reasons = new Map(
    changes.flatMap(({ id, person }) => (person ? [[id, 'phoneAt' in person ? 'phone' : 'replied'] as const] : [])),
  )
  return ({ id, openedAt, wokenAt, ownerEpoch: epoch }: ConversationRecord): Became => {
    const reason = reasons.get(id)
    return becameOf({
      ...(openedAt?.getTime() === at.getTime() && { opened: true }),
      ...(wokenAt?.getTime() === at.getTime() && { woken: true }),
      ...(reason && { owned: { epoch, reason } }),
    })
  }
}

const becameOf = (did: NonNullable<Became>): Became => (Object.keys(did).length > 0 ? did : undefined)
