import { type ConversationRecord, queued, waits } from './conversations.model.ts'
import { owning } from './visible-to.ts'

type Owned = Pick<
  ConversationRecord,
  'owner' | 'ownerEpoch' | 'version' | 'waitingSince' | 'forPersonSince' | 'unreadCount'
>

/** Fields that change together with the owner, for `$set` and `$unset`. */
export interface OwnershipChange {
  readonly set: Readonly<Record<string, unknown>>
  readonly unset: Readonly<Record<string, ''>>
}

/** Milliseconds for which a colleague who wrote from the phone holds a conversation. */
const phoneHoldsMs = 24 * 3600_000

const hourMs = 3600_000

type Held = Pick<ConversationRecord, 'owner' | 'personAt' | 'memberAt'>

/**
 * Returns whether bots are to keep quiet: a member owns the conversation, or a colleague has written from the phone of late.
 * @param returnHours hours without a person's message after which it is the bots' again; without them a member has it until it is closed.
 */
export function isHeldByPerson({ owner, personAt, memberAt }: Held, now: Date, returnHours?: number): boolean {
  const lastMs = Math.max(personAt?.getTime() ?? 0, memberAt?.getTime() ?? 0)
  const isBack = returnHours !== undefined && lastMs > 0 && now.getTime() - lastMs >= returnHours * hourMs
  const isOnPhone = personAt !== undefined && now.getTime() - personAt.getTime() < phoneHoldsMs
  return !isBack && (owner.kind === 'member' || isOnPhone)
}

/** Returns whether a conversation waits for a member who has room. */
export const isQueued = ({ assignment }: Pick<ConversationRecord, 'assignment'>): boolean =>
  assignment?.state === queued

const isSame = (left: ConversationRecord['owner'], right: ConversationRecord['owner']) =>
  left.kind === right.kind && left.id === right.id

/**
 * Gives a conversation another owner under a new epoch.
 * @param by `person`: what automations have queued before does not leave any more. `automation`, or a rule of assignment: it does,
 * or the words by which a bot hands over would be dropped.
 */
export function ownedBy(
  current: Owned,
  owner: ConversationRecord['owner'],
  by: 'person' | 'automation' | 'rule',
  now: Date,
): OwnershipChange {
  const { ownerEpoch, version, waitingSince, forPersonSince } = current
  const epoch = ownerEpoch + 1
  // A customer who has written to a member waits for a person, also where that one has given the conversation away unanswered.
  const isLeft = current.owner.kind === 'member' && owner.kind === 'nobody' && !forPersonSince && waitingSince
  return {
    set: {
      ...owning(owner),
      ...(isLeft && { forPersonSince: waitingSince }),
      ownerEpoch: epoch,
      ownerVersion: version + 1,
      ...(by === 'person' && { personEpoch: epoch }),
      ...(owner.kind === 'member' && { memberAt: now }),
    },
    unset: { assignment: '' },
  }
}

/**
 * Gives a conversation to a bot or workflow. A customer who has written while a person held it waits for a person as before, and so does
 * one who has waited since before the session began: no bot has read that.
 * @param how.since time of the message by which it began. `returnHours` as above.
 */
export function claimed(
  current: Owned & Held,
  owner: ConversationRecord['owner'],
  how: { readonly now: Date; readonly returnHours: number | undefined; readonly since: Date | undefined },
): OwnershipChange {
  const { waitingSince, forPersonSince } = current
  const { set, unset } = ownedBy(current, owner, 'automation', how.now)
  const isOlder = waitingSince && how.since && waitingSince < how.since
  const isForPerson =
    !forPersonSince && waitingSince && (isOlder || isHeldByPerson(current, waitingSince, how.returnHours))
  return { set: { ...set, ...(isForPerson && { forPersonSince: waitingSince }) }, unset }
}

/** Has the customer wait for a person: they do until one answers, or the conversation is closed. */
export const waitsForPerson = ({ waitingSince, forPersonSince }: Owned, now: Date) => ({
  waitingSince: waitingSince ?? now,
  forPersonSince: forPersonSince ?? now,
})
const waitsForNobody = { waitingSince: '', forPersonSince: '', dueAt: '' } as const

/** Closes a conversation: nobody has it any more, and the next message of the customer is for a bot or the queue. */
export function closed(current: Owned, by: 'person' | 'automation', now: Date): OwnershipChange {
  const { set, unset } = ownedBy(current, { kind: 'nobody' }, by, now)
  const { ownerVersion, forPersonSince: _ends, ...rest } = set
  const isOther = current.owner.kind !== 'nobody'
  return {
    set: { ...rest, status: 'closed', ...(isOther && { ownerVersion }) },
    unset: { ...unset, ...waitsForNobody, personAt: '', snoozedUntil: '', snoozedBy: '', timer: '' },
  }
}

/**
 * Ends the ownership of a bot or workflow, or puts a conversation into the queue. Call `assignment.wake` after the commit where
 * it waits for a member.
 * @param how.resolved the customer has what they wanted: nothing is unread, but for `unread` messages that came since; they wait.
 * `attention`: it waits for a person from now on, and assignment runs. So it does where the customer waits for one already.
 */
export function released(
  current: Owned,
  how: { readonly resolved?: boolean; readonly attention?: boolean; readonly unread?: number },
  now: Date,
): OwnershipChange {
  const { resolved = false } = how
  const attention = how.attention === true || current.forPersonSince !== undefined
  const unread = Math.min(how.unread ?? 0, current.unreadCount)
  const { set, unset } = isSame(current.owner, { kind: 'nobody' })
    ? { set: {}, unset: {} }
    : ownedBy(current, { kind: 'nobody' }, 'automation', now)
  const { assignment: _waits, ...others } = unset
  return {
    set: {
      ...set,
      ...(resolved && !attention && { unreadCount: unread }),
      ...(resolved && unread > 0 && { waitingSince: current.waitingSince ?? now }),
      ...(attention && { ...waitsForPerson(current, now), assignment: { state: waits, at: now } }),
    },
    unset: attention ? others : unset,
  }
}
