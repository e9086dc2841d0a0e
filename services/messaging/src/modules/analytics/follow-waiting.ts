import type { RecordedEvent } from '@parley/contracts/platform/events'
import { watches } from './answers.model.ts'
import type { NewAnswer } from './answers.repository.ts'
import {
  type Counts,
  differenceOf,
  levelsOf,
  levelsOfAnswer,
  levelsOfWaiting,
  ofNumber,
  type Sums,
  scopesOfActor,
  workspaceFigures,
} from './levels.ts'

const answering: ReadonlySet<string> = new Set(['member', 'phone_app', 'bot', 'workflow', 'api'])

/** Time that an answer takes, and the moment until which it is wanted. */
export interface AnswerTimes {
  /** Returns when a wait is to be answered; `undefined` without a target. */
  readonly dueAt: (since: Date, isFirst: boolean) => Date | undefined
  readonly openSeconds: (since: Date, at: Date) => number
  /** Returns whether a wait is the first since its conversation was opened. */
  readonly isFirst: (conversationId: string, since: Date) => boolean
}

/** Conversations whose waiting customers an event may concern. */
export function conversationOf(event: RecordedEvent): string | undefined {
  if (event.type === 'message.changed') return event.data.conversationId
  if (event.type !== 'conversation.changed') return undefined
  if (event.data.conversation.status === 'closed' || isHandOver(event)) return event.conversationId
  return undefined
}

/** Returns whether a bot or workflow has passed on a conversation in which the customer waits for a person. */
function isHandOver({ by, data }: Extract<RecordedEvent, { type: 'conversation.changed' }>): boolean {
  const { conversation, became } = data
  if (by.kind !== 'bot' && by.kind !== 'workflow') return false
  const isPeoples = conversation.owner.kind === 'member' || conversation.owner.kind === 'nobody'
  return became?.owned !== undefined && isPeoples && conversation.waitingSince !== undefined
}

/**
 * Follows who waits for an answer, event by event. Notes, campaigns and what is sent in nobody's name neither begin nor end it.
 * @param open those that are stored as open, of the conversations of all events.
 */
export function createFollowWaiting(
  open: readonly NewAnswer[],
  { sums, newId, times }: { sums: Sums; newId: () => string; times: AnswerTimes },
) {
  const waiting = new Map(open.map((answer) => [answer.conversationId, answer]))
  const stored = new Map<string, NewAnswer>()
  const removed = new Set<string>()

  function change(before: NewAnswer | undefined, after: NewAnswer): void {
    count(after, differenceOf(before ? levelsOfWaiting(before) : {}, levelsOfWaiting(after)))
    if (!before?.answeredAt) sums.add(scopesOfActor(after.by), after.since, levelsOfAnswer(after))
    stored.set(after.id, after)
    if (after.open) waiting.set(after.conversationId, after)
    else waiting.delete(after.conversationId)
  }

  const count = ({ numberId, since }: NewAnswer, counts: Counts): void =>
    sums.add([workspaceFigures, ofNumber(numberId)], since, counts)

  function begin(begun: Omit<NewAnswer, 'id' | 'open'> & { readonly conversationId: string }): void {
    const first = times.isFirst(begun.conversationId, begun.since)
    const dueAt = times.dueAt(begun.since, first)
    change(undefined, {
      id: newId(),
      ...begun,
      open: true,
      ...(first && { first }),
      ...(dueAt && { dueAt, watch: { state: watches, step: 'show', at: begun.since } }),
    })
  }

  const close = (own: NewAnswer, at: Date): void => change(own, { ...own, open: undefined, closedAt: at })

  /** A bot has passed the customer on: they wait for a person, with what they have waited so far. */
  function handOver(event: Extract<RecordedEvent, { type: 'conversation.changed' }>, own: NewAnswer | undefined): void {
    const { id: conversationId, numberId, contact, waitingSince } = event.data.conversation
    const since = new Date(waitingSince ?? event.recordedAt)
    if (own) change(own, { ...own, forPerson: true })
    else begin({ numberId, conversationId, contactId: contact.id, since, forPerson: true, handedOver: true })
  }

  function apply(event: RecordedEvent): void {
    const conversationId = conversationOf(event)
    if (conversationId === undefined) return
    const own = waiting.get(conversationId)
    if (event.type === 'conversation.changed' && event.data.conversation.status !== 'closed') handOver(event, own)
    else if (event.type === 'conversation.changed') {
      const at = new Date(event.recordedAt)
      if (own && own.since <= at) close(own, at)
    }
    if (event.type !== 'message.changed') return
    const { direction, created, notice, rated, numberId, moved, cause, causeId, messageId } = event.data
    if (numberId === undefined) return
    if (direction === 'inbound' && created && !notice && !rated && !own)
      begin({ numberId, conversationId, contactId: event.contactId, messageId, since: new Date(event.at) })
    if (direction !== 'outbound' || !moved || !own || cause === undefined || !answering.has(cause)) return
    const at = new Date(moved.at)
    // A message that left before the customer wrote is no answer to it.
    if (!differenceOf(levelsOf(moved.from), levelsOf(moved.to)).sent || at < own.since) return
    if (own.forPerson && (cause === 'bot' || cause === 'workflow')) return
    const isInTime = levelsOfWaiting({ ...own, answeredAt: at }).answered === 1
    change(own, {
      ...own,
      open: undefined,
      answeredAt: at,
      ...(isInTime && { inTime: true as const }),
      by: { kind: cause, id: causeId ?? '' },
      openSeconds: times.openSeconds(own.since, at),
      ...(own.dueAt && at > own.dueAt && { late: true as const }),
    })
  }

  /** Contacts were merged: of two that wait in what is one conversation now, the earlier stays. */
  function move(own: NewAnswer, to: { readonly contactId: string; readonly conversationId: string }): void {
    const other = waiting.get(to.conversationId)
    if (other && other.id !== own.id) {
      const [stays, goes] = other.since <= own.since ? [other, own] : [own, other]
      count(goes, differenceOf(levelsOfWaiting(goes), {}))
      removed.add(goes.id)
      stored.delete(goes.id)
      waiting.delete(own.conversationId)
      change(stays, { ...stays, ...to })
      return
    }
    waiting.delete(own.conversationId)
    change(own, { ...own, ...to })
  }

  const waitingOf = (contactId: string): NewAnswer[] =>
    [...waiting.values()].filter((own) => own.contactId === contactId)

  return {
    apply,
    move,
    waitingOf,
    /** A contact was erased: nobody can answer them any more. */
    end: (contactId: string, at: Date): void => {
      for (const own of waitingOf(contactId)) close(own, at)
    },
    changes: () => ({ stored: [...stored.values()], removed: [...removed] }),
  }
}
