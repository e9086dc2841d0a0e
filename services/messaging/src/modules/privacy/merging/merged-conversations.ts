import { isFlowKind } from '@parley/contracts/automation/flow-summary'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { ConversationRecord, ConversationState } from '../../inbox/conversations/conversations.service.ts'
import { owning } from '../../inbox/conversations/visible-to.ts'

/** The WhatsApp account that the contact has afterwards: both were one, or one of them was given up. */
export type AccountOf = 'both' | 'kept' | 'other'

/** Joins the states of two threads with one number. WhatsApp's window belongs to the account. */
export function joined(kept: ConversationState, other: ConversationState, account: AccountOf): ConversationState {
  const windows = account === 'both' ? [kept, other] : [account === 'kept' ? kept : other]
  const opens = kept.status !== 'open' && other.status === 'open'
  const { snoozedUntil, snoozedBy, timer } = opens ? {} : kept
  return {
    status: opens ? 'open' : kept.status,
    snoozedUntil,
    snoozedBy,
    timer,
    owner: kept.owner.kind === 'nobody' ? other.owner : kept.owner,
    unreadCount: kept.unreadCount + other.unreadCount,
    messageCount: kept.messageCount + other.messageCount,
    lastMessage:
      (kept.lastMessage?.at ?? never) >= (other.lastMessage?.at ?? never) ? kept.lastMessage : other.lastMessage,
    firstMessageAt: first(kept.firstMessageAt, other.firstMessageAt),
    waitingSince: first(kept.waitingSince, other.waitingSince),
    forPersonSince: first(kept.forPersonSince, other.forPersonSince),
    dueAt: first(kept.dueAt, other.dueAt),
    windowExpiresAt: latest(windows.map(({ windowExpiresAt }) => windowExpiresAt)),
    referredAt: latest(windows.map(({ referredAt }) => referredAt)),
    personAt: latest([kept.personAt, other.personAt]),
    mentioned: bothOf(kept.mentioned, other.mentioned),
  }
}

type MergedThreads = NonNullable<ConversationRecord['merged']>

/**
 * A thread that another one has come into, without that one again. What has happened in it since stays: newer messages, what was
 * read, who has taken it; the window goes with the account.
 */
export function parted(
  now: ConversationState,
  { own: other, other: kept }: MergedThreads,
  account: AccountOf,
): ConversationState {
  const { windowExpiresAt, referredAt } = account === 'other' ? kept : now
  const showsOther = now.lastMessage !== undefined && now.lastMessage.id === other.lastMessage?.id
  const waitsForOther = now.waitingSince?.getTime() === other.waitingSince?.getTime()
  const isForOther = now.forPersonSince?.getTime() === other.forPersonSince?.getTime()
  return {
    ...now,
    owner: isOwnedByOther(now, { own: other, other: kept }) ? kept.owner : now.owner,
    unreadCount: now.unreadCount - backUnread(now, other),
    messageCount: Math.max(0, now.messageCount - other.messageCount),
    lastMessage: showsOther ? kept.lastMessage : now.lastMessage,
    firstMessageAt: kept.firstMessageAt ?? (showsOther ? undefined : now.lastMessage?.at),
    waitingSince: waitsForOther ? kept.waitingSince : now.waitingSince,
    forPersonSince: isForOther ? kept.forPersonSince : now.forPersonSince,
    dueAt: waitsForOther ? kept.dueAt : now.dueAt,
    windowExpiresAt,
    referredAt,
  }
}

/** Returns whether a thread has its owner from the one that has come into it. */
const isOwnedByOther = (now: ConversationState, { own, other: kept }: Pick<MergedThreads, 'own' | 'other'>) =>
  kept.owner.kind === 'nobody' && isOwnedAlike(now, own)

/** Returns whether a bot or workflow has a thread. */
export const isAutomated = ({ owner }: Pick<ConversationState, 'owner'>): boolean => isFlowKind(owner.kind)

/**
 * The thread that has come back out of another one: what was read there is read. An automation has it again where it had both: any other
 * session has ended.
 */
export const restored = (
  now: ConversationState,
  { own: state, other }: MergedThreads,
  account: AccountOf,
): ConversationState => {
  const { windowExpiresAt, referredAt } = account === 'kept' ? state : now
  const isOver = isAutomated(state) && !isOwnedByOther(now, { own: state, other })
  const owner = isOver ? { kind: 'nobody' as const } : state.owner
  return { ...state, owner, unreadCount: backUnread(now, state), windowExpiresAt, referredAt }
}

const backUnread = (now: ConversationState, state: ConversationState) => Math.min(now.unreadCount, state.unreadCount)
export const isOwnedAlike = ({ owner }: Pick<ConversationState, 'owner'>, other: ConversationState) =>
  owner.kind === other.owner.kind && owner.id === other.owner.id

/** Returns the state of a thread whose messages were moved to another one. */
export const emptied = ({ owner }: ConversationState): ConversationState => ({
  status: 'closed',
  owner,
  unreadCount: 0,
  messageCount: 0,
})

/** Returns a record's state, without absent fields. */
export function stateOf(record: ConversationState): ConversationState {
  const { status, owner, unreadCount, messageCount, lastMessage, firstMessageAt, windowExpiresAt } = record
  const { waitingSince, forPersonSince, dueAt, snoozedUntil, snoozedBy, timer, referredAt, personAt } = record
  const { mentioned } = record
  const waits = { waitingSince, forPersonSince, dueAt }
  const times = { firstMessageAt, windowExpiresAt, ...waits, snoozedUntil, referredAt, personAt }
  return {
    status,
    owner,
    unreadCount,
    messageCount,
    ...omitUndefined({ lastMessage, snoozedBy, timer, mentioned, ...times }),
  }
}

const optional = [
  'lastMessage',
  'firstMessageAt',
  'windowExpiresAt',
  'waitingSince',
  'forPersonSince',
  'dueAt',
  'snoozedUntil',
  'snoozedBy',
  'timer',
  'referredAt',
  'personAt',
  'mentioned',
]

/** Writes a state whole: what is absent of it is taken away. */
export function writeState(state: ConversationState) {
  const $set = { ...stateOf(state), ...owning(state.owner) }
  return { $set, $unset: Object.fromEntries(optional.filter((name) => !(name in $set)).map((name) => [name, 1])) }
}

const bothOf = (left: ConversationState['mentioned'], right: ConversationState['mentioned']) =>
  left && right ? [...new Set([...left, ...right])] : (left ?? right)

const never = new Date(0)
const first = (left?: Date, right?: Date): Date | undefined =>
  left && right ? (left < right ? left : right) : (left ?? right)
const latest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.reduce((left, right) => (left && right ? (left > right ? left : right) : (left ?? right)), undefined)
