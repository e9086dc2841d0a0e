import { flowKinds } from '@parley/contracts/automation/flow-summary'
import { freeEntryAfter } from '../messages/service-window.ts'
import type { ConversationRecord } from './conversations.model.ts'
import { viewersOf } from './visible-to.ts'

/** Effect of new messages and statuses on a conversation. */
export interface ConversationChange {
  readonly id: string
  /** Number of new unread messages. */
  readonly unread: number
  readonly messages: number
  readonly windowExpiresAt?: Date | undefined
  /** The newest message of the change; it shows if nothing newer is there. */
  readonly last?: NonNullable<ConversationRecord['lastMessage']> | undefined
  readonly referredAt?: Date | undefined
  /** Time at which the business first answered. */
  readonly answeredAt?: Date | undefined
  /** A customer has written: a closed or snoozed conversation opens again. */
  readonly reopens: boolean
  /** A member has written into it: a closed conversation opens again, a snoozed one stays. */
  readonly continues?: boolean
  /** Time of its oldest message. */
  readonly firstAt?: Date | undefined
  /** Set for messages from before the number was connected: no one is notified, nothing waits for an answer. */
  readonly isHistory?: boolean | undefined
  /**
   * Set for a person's message, from which on automations are quiet. `memberId`: they become the owner, of an automation or nobody
   * alone where `keepsColleague`. `phoneAt`: when a colleague has written from the phone, which no member is known by.
   */
  readonly person?:
    | { readonly memberId: string; readonly keepsColleague?: boolean }
    | { readonly phoneAt: Date }
    | undefined
  /** Set for what was sent without being asked: the customer waits for an answer as before. */
  readonly isUnasked?: boolean
  /** Set for what a bot, a workflow or a program says: it does not answer a customer who waits for a person. */
  readonly isAutomated?: boolean
}

/**
 * Returns the update of a conversation by a change, without its record being read.
 * @param at becomes the time of its opening where a customer begins it or opens it again, and of its waking where it was snoozed.
 */
export function stagesOf(change: ConversationChange, at: Date) {
  const { answeredAt, reopens, continues } = change
  const isOpened = { $or: [{ $eq: ['$status', 'closed'] }, { $eq: ['$messageCount', 0] }] }
  const opened = (reopens || continues) && { openedAt: { $cond: [isOpened, at, '$openedAt'] } }
  const woken = reopens && { wokenAt: { $cond: [{ $eq: ['$status', 'snoozed'] }, at, '$wokenAt'] } }
  return [{ $set: { ...fieldsOf(change), ...opened, ...woken } }, ...(answeredAt ? [answered(answeredAt)] : [])]
}

/** The first answer to a customer who came by an ad. */
export function answered(answeredAt: Date): { $set: Record<string, unknown> } {
  const expires = freeEntryAfter(answeredAt)
  const counts = { $and: [{ $lte: ['$referredAt', answeredAt] }, { $gt: ['$referredAt', expires.referredAfter] }] }
  return {
    $set: {
      windowExpiresAt: { $cond: [counts, { $max: ['$windowExpiresAt', expires.at] }, '$windowExpiresAt'] },
      referredAt: { $cond: [counts, '$$REMOVE', '$referredAt'] },
    },
  }
}

function fieldsOf(change: ConversationChange): Record<string, unknown> {
  const { unread, messages, windowExpiresAt, referredAt, last, firstAt, reopens, person } = change
  const { isHistory = false, isUnasked = false, isAutomated = false } = change
  return {
    unreadCount: { $add: ['$unreadCount', unread] },
    messageCount: { $add: ['$messageCount', messages] },
    ...(windowExpiresAt && { windowExpiresAt: { $max: ['$windowExpiresAt', windowExpiresAt] } }),
    ...(referredAt && { referredAt: { $max: ['$referredAt', referredAt] } }),
    ...(last && {
      firstMessageAt: { $min: ['$firstMessageAt', firstAt ?? last.at] },
      lastMessage: {
        // A text that begins with a dollar sign would be read as an expression.
        $cond: [{ $gte: [last.at, { $ifNull: ['$lastMessage.at', new Date(0)] }] }, { $literal: last }, '$lastMessage'],
      },
    }),
    ...(last && unread > 0 && { waitingSince: { $ifNull: ['$waitingSince', last.at] } }),
    ...(isHistory && { status: statusByHistory(windowExpiresAt) }),
    ...(last?.direction === 'outbound' && !isHistory && !isUnasked && answeredBy({ isAutomated })),
    ...(change.continues && { status: { $cond: [{ $eq: ['$status', 'closed'] }, 'open', '$status'] } }),
    ...(reopens && { status: 'open', snoozedUntil: '$$REMOVE', snoozedBy: '$$REMOVE', timer: '$$REMOVE' }),
    ...(person && takenBy(person)),
  }
}

/** The customer is answered; one who waits for a person is so by a person alone. */
function answeredBy({ isAutomated }: { isAutomated: boolean }) {
  if (!isAutomated) return { waitingSince: '$$REMOVE', forPersonSince: '$$REMOVE', dueAt: '$$REMOVE' }
  const unlessForPerson = (field: string) => ({ $cond: [{ $gt: ['$forPersonSince', null] }, field, '$$REMOVE'] })
  return { waitingSince: unlessForPerson('$waitingSince'), dueAt: unlessForPerson('$dueAt') }
}

/** Condition that a conversation becomes that of a member who writes. */
const isOf = ({ memberId, keepsColleague = false }: { memberId: string; keepsColleague?: boolean }) =>
  keepsColleague
    ? { $in: ['$owner.kind', [...flowKinds, 'nobody']] }
    : { $not: [{ $and: [{ $eq: ['$owner.kind', 'member'] }, { $eq: ['$owner.id', memberId] }] }] }

/** A person has written: queued messages of automations do not leave any more, and no automation is the owner. */
function takenBy(person: NonNullable<ConversationChange['person']>): Record<string, unknown> {
  const epoch = { $add: ['$ownerEpoch', 1] }
  const owner: ConversationRecord['owner'] =
    'memberId' in person ? { kind: 'member', id: person.memberId } : { kind: 'nobody' }
  const isTaken = 'memberId' in person ? isOf(person) : { $in: ['$owner.kind', flowKinds] }
  return {
    ownerEpoch: epoch,
    personEpoch: epoch,
    owner: { $cond: [isTaken, { $literal: owner }, '$owner'] },
    viewers: { $cond: [isTaken, { $literal: viewersOf(owner) }, '$viewers'] },
    ownerVersion: { $cond: [isTaken, { $add: ['$version', 1] }, '$ownerVersion'] },
    assignment: '$$REMOVE',
    forPersonSince: '$$REMOVE',
    ...('memberId' in person && { memberAt: '$$NOW' }),
    ...('phoneAt' in person && { personAt: { $max: ['$personAt', person.phoneAt] } }),
  }
}

/** A conversation that history alone has begun is closed, unless it could be answered now. */
const statusByHistory = (windowExpiresAt: Date | undefined) => {
  const isOpen = { $gt: [windowExpiresAt ?? new Date(0), '$$NOW'] }
  return { $cond: [{ $gt: ['$messageCount', 0] }, '$status', { $cond: [isOpen, 'open', 'closed'] }] }
}
