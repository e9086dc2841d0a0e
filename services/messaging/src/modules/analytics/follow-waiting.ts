import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { NewAnswer } from './answers.repository.ts'
import {
  type Counts,
  differenceOf,
  levelsOf,
  levelsOfWaiting,
  ofNumber,
  type Sums,
  scopesOfActor,
  workspaceFigures,
} from './levels.ts'

const answering: ReadonlySet<string> = new Set(['member', 'phone_app', 'bot', 'workflow', 'api'])

/** Conversations whose waiting customers an event may concern. */
export function conversationOf(event: RecordedEvent): string | undefined {
  if (event.type === 'message.changed') return event.data.conversationId
  if (event.type === 'conversation.changed' && event.data.conversation.status === 'closed') return event.conversationId
  return undefined
}

/**
 * Follows who waits for an answer, event by event. Notes, campaigns and what is sent in nobody's name neither begin nor end it.
 * @param open those that are stored as open, of the conversations of all events.
 */
export function createFollowWaiting(open: readonly NewAnswer[], { sums, newId }: { sums: Sums; newId: () => string }) {
  const waiting = new Map(open.map((answer) => [answer.conversationId, answer]))
  const stored = new Map<string, NewAnswer>()
  const removed = new Set<string>()

  function change(before: NewAnswer | undefined, after: NewAnswer): void {
    count(after, differenceOf(before ? levelsOfWaiting(before) : {}, levelsOfWaiting(after)))
    stored.set(after.id, after)
    if (after.open) waiting.set(after.conversationId, after)
    else waiting.delete(after.conversationId)
  }

  function count({ numberId, since, by }: NewAnswer, counts: Counts): void {
    sums.add([workspaceFigures, ofNumber(numberId)], since, counts)
    if (counts.answered) sums.add(scopesOfActor(by), since, { answered: counts.answered })
  }

  function apply(event: RecordedEvent): void {
    const conversationId = conversationOf(event)
    if (conversationId === undefined) return
    const own = waiting.get(conversationId)
    if (event.type !== 'message.changed') {
      const at = new Date(event.recordedAt)
      if (own && own.since <= at) change(own, { ...own, open: undefined, closedAt: at })
      return
    }
    const { direction, created, notice, numberId, moved, cause, causeId, messageId } = event.data
    if (numberId === undefined) return
    if (direction === 'inbound' && created && !notice && !own)
      change(undefined, {
        id: newId(),
        numberId,
        conversationId,
        contactId: event.contactId,
        messageId,
        since: new Date(event.at),
        open: true,
      })
    if (direction !== 'outbound' || !moved || !own || cause === undefined || !answering.has(cause)) return
    const at = new Date(moved.at)
    // A message that left before the customer wrote is no answer to it.
    if (!differenceOf(levelsOf(moved.from), levelsOf(moved.to)).sent || at < own.since) return
    change(own, { ...own, open: undefined, answeredAt: at, by: { kind: cause, id: causeId ?? '' } })
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

  return {
    apply,
    move,
    waitingOf: (contactId: string): NewAnswer[] => [...waiting.values()].filter((own) => own.contactId === contactId),
    changes: () => ({ stored: [...stored.values()], removed: [...removed] }),
  }
}
