import type { Assignment } from '@parley/contracts/inbox/assignment'
import { isOpen, nextOpening } from '@parley/contracts/inbox/open-time'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConversationChanges } from '../conversations/changes.service.ts'
import type { ConversationRecord, ConversationsRepository } from '../conversations/conversations.service.ts'
import type { OpeningHoursService } from '../opening-hours/opening-hours.service.ts'
import type { AssignmentRepository } from './assignment.repository.ts'
import { countsOpen, createCapacity } from './capacity.ts'

/** Conversations of the queue that are looked at in one transaction. */
const maxAtOnce = 100
/** Milliseconds after which a queue is looked at again, should the change that made room not have been noticed. */
const lookAgainMs = 60_000

/** A conversation that waits for a member, and since when its customer does. */
interface Waiting {
  readonly id: string
  readonly at: Date
  readonly isQueued: boolean
}

export interface GiveOutDependencies {
  readonly assignments: Pick<AssignmentRepository, 'read' | 'readTurn' | 'storeTurn' | 'absences'>
  readonly conversationRecords: Pick<ConversationsRepository, 'queued' | 'enqueue' | 'leaveQueue' | 'countOpenOf'>
  readonly changes: Pick<ConversationChanges, 'give'>
  readonly openingHours: Pick<OpeningHoursService, 'read'>
  readonly now: () => Date
}

/**
 * Gives conversations to members who have room, the one that waits longest first. Those that nobody has room for wait in a queue.
 * Transactions of one workspace run one after the other, so that nobody is given more than their limit.
 */
export function createGiveOut({ assignments, conversationRecords, changes, openingHours, now }: GiveOutDependencies) {
  const conversations = conversationRecords

  /**
   * @param arrivals conversations that are new to the queue.
   * @returns whether more of the queue can be given at once.
   */
  return async function giveOut(
    scope: WorkspaceScope,
    arrivals: readonly ConversationRecord[],
    tx: Tx,
  ): Promise<boolean> {
    const { session } = tx
    const setting = await assignments.read(scope, { session })
    const turn = await assignments.readTurn(scope, { session })
    if (setting.mode === 'off' || setting.members.length === 0) {
      if (turn?.queue) await assignments.storeTurn(scope, { last: undefined, lookAt: undefined }, { session })
      return false
    }
    // While nobody waits an arrival needs no look at the queue.
    const head = turn?.queue ? await conversations.queued(scope, maxAtOnce, { session }) : []
    const { line, behind } = lineOf(head, arrivals, now())
    if (line.length + behind.length === 0 && !turn?.queue) return false
    const capacity = await capacityOf(scope, { setting, last: turn?.last, isEmpty: line.length === 0 }, tx)
    let last: string | undefined
    let count = 0
    for (const { id } of line) {
      const userId = capacity.next()
      if (userId === undefined) break
      count += 1
      if (await changes.give(scope, id, userId, tx)) {
        capacity.take(userId)
        last = userId
      } else await conversations.leaveQueue(scope, id, { session })
    }
    const left = [...line.slice(count), ...behind]
    await conversations.enqueue(
      scope,
      left.filter(({ isQueued }) => !isQueued),
      { session },
    )
    const hasMore = count === line.length && (head.length === maxAtOnce || behind.length > 0)
    const lookAt = hasMore ? now() : left.length > 0 ? capacity.lookAt : undefined
    await assignments.storeTurn(scope, { last, lookAt }, { session })
    return hasMore
  }

  async function capacityOf(
    scope: WorkspaceScope,
    { setting, last, isEmpty }: { setting: Assignment; last: string | undefined; isEmpty: boolean },
    { session }: Tx,
  ) {
    const at = now()
    const hours = await openingHours.read(scope, { session })
    const isClosed = hours.version > 0 && !isOpen(hours, at)
    const away = (await assignments.absences(scope, { session })).filter(({ until }) => !until || until > at)
    const isCounted = !isEmpty && !isClosed && countsOpen(setting)
    const open = isCounted ? await conversations.countOpenOf(scope, setting.members, { session }) : new Map()
    const gone = new Set(away.map(({ userId }) => userId))
    const turns = [
      at.getTime() + lookAgainMs,
      ...away.flatMap(({ until }) => until?.getTime() ?? []),
      ...(isClosed ? [nextOpening(hours, at)?.getTime() ?? Infinity] : []),
    ]
    return {
      ...createCapacity(setting, { last, open, isAway: (userId) => isClosed || gone.has(userId) }),
      lookAt: new Date(Math.min(...turns)),
    }
  }
}

/**
 * Puts arrivals in line with the queue by the time since when their customers wait.
 * @returns also those `behind` what was read of a longer queue: they are not given before the rest of it.
 */
function lineOf(head: readonly ConversationRecord[], arrivals: readonly ConversationRecord[], now: Date) {
  const queued = head.map(({ id, assignment }): Waiting => ({ id, at: assignment?.at ?? now, isQueued: true }))
  const known = new Set(head.map(({ id }) => id))
  const fresh = arrivals
    .filter(({ id }) => !known.has(id))
    .map(
      ({ id, waitingSince, lastMessage }): Waiting => ({
        id,
        at: waitingSince ?? lastMessage?.at ?? now,
        isQueued: false,
      }),
    )
  const end = head.length === maxAtOnce ? (queued.at(-1)?.at ?? now) : undefined
  const isBehind = ({ at }: Waiting) => end !== undefined && at > end
  const line = [...queued, ...fresh.filter((one) => !isBehind(one))]
  return {
    line: line.sort((left, right) => left.at.getTime() - right.at.getTime()),
    behind: fresh.filter(isBehind),
  }
}
