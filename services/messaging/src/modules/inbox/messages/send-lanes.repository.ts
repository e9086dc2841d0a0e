import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import {
  type ScopedCollection,
  scopedCollection,
  type WorkspaceScope,
} from '@parley/service-kit/data/scoped-collection'
import type { MessageRecord, messageSchema } from './messages.model.ts'

/** Lane of scheduled messages: messages taken out of all lanes, as after a restore, are taken out of this one too. */
export const scheduledLane = 'scheduled'

/** Lane that holds a paused campaign's messages. */
export const heldLane = 'held'

/** Messages that have not left, as the sender finds them: by the lane in which they wait, or how far they have come. */
export function createSendLanes(
  messages: (scope: WorkspaceScope) => ScopedCollection<MessageRecord>,
  definition: { connection: ServiceConnection; name: string; schema: typeof messageSchema },
) {
  // The sender works for every workspace: each message names its own.
  const inLane = scopedCollection<{ sendLane: string }, MessageRecord>(definition, ({ sendLane }) => ({ sendLane }))
  const inState = scopedCollection<{ 'dispatch.state': string }, MessageRecord>(definition, (state) => ({ ...state }))

  return {
    numbersInLane: async (lane: number): Promise<string[]> =>
      (await inLane({ sendLane: String(lane) }).distinct('numberId')).map(String),
    firstInLane: (lane: number, numberId: string) =>
      inLane({ sendLane: String(lane) }).findOne({ numberId }, { hint: 'outbox' }),
    /** Returns what a number may send by now, in the order of turns. @param priority 0 is a reply; 1 stands for all others. */
    dueInLane: (
      lane: number,
      numberId: string,
      { now, limit, priority }: { now: Date; limit: number; priority: 0 | 1 },
    ): PromiseLike<MessageRecord[]> =>
      inLane({ sendLane: String(lane) })
        .find({
          numberId,
          'dispatch.priority': priority === 0 ? 0 : { $gt: 0 },
          'dispatch.state': 'queued',
          'dispatch.notBefore': { $lte: now },
        })
        .sort({ 'dispatch.priority': 1, _id: 1 })
        .limit(limit)
        .hint('outbox'),
    /**
     * Returns the first messages that a number has not begun to send, due or not, or tries again, in the order of turns, twenty at most.
     * @param priority as above.
     */
    firstQueued: (lane: number, numberId: string, priority: 0 | 1): PromiseLike<MessageRecord[]> =>
      inLane({ sendLane: String(lane) })
        .find({
          numberId,
          'dispatch.priority': priority === 0 ? 0 : { $gt: 0 },
          $or: [{ 'dispatch.state': 'queued' }, { 'dispatch.lateSince': { $exists: true } }],
        })
        .sort({ 'dispatch.priority': 1, _id: 1 })
        .limit(20)
        .hint('outbox'),
    /** Returns a message that a number would send next. */
    nextOfNumber: async (lane: number, numberId: string): Promise<MessageRecord | undefined> => {
      const [first] = await inLane({ sendLane: String(lane) })
        .find({ numberId, 'dispatch.state': 'queued' })
        .sort({ 'dispatch.priority': 1, _id: 1 })
        .limit(1)
        .hint('outbox')
      return first
    },
    /** Returns the held message that has waited for longest. */
    longestHeld: async (): Promise<MessageRecord | undefined> => {
      const [first] = await inLane({ sendLane: heldLane })
        .find({ 'dispatch.notBefore': { $gt: new Date(0) } })
        .sort({ 'dispatch.notBefore': 1 })
        .limit(1)
        .hint('scheduled')
      return first
    },
    /**
     * Returns unsent messages that hold up later ones in these conversations, the oldest of each first: ids, conversations,
     * priorities.
     */
    waitingIn: (scope: WorkspaceScope, conversationIds: readonly string[]): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({
          conversationId: { $in: conversationIds },
          sendLane: { $exists: true, $nin: [scheduledLane, heldLane] },
          'dispatch.passable': { $ne: true },
        })
        .sort({ conversationId: 1, _id: 1 })
        .select('conversationId dispatch.priority')
        .hint('outbox-conversation'),
    claimedBy: (scope: WorkspaceScope, ids: readonly string[], claim: string): PromiseLike<MessageRecord[]> =>
      messages(scope).find({ _id: { $in: ids }, 'dispatch.claim': claim }),
    leaseEnded: (now: Date): PromiseLike<MessageRecord[]> =>
      inState({ 'dispatch.state': 'sending' })
        .find({ 'dispatch.leaseUntil': { $lte: now } })
        .limit(500)
        .hint('leases'),
    uncertainSince: (before: Date): PromiseLike<MessageRecord[]> =>
      inState({ 'dispatch.state': 'uncertain' })
        .find({ 'dispatch.uncertainAt': { $lte: before } })
        .limit(500)
        .hint('uncertain'),
    scheduledUntil: (now: Date): PromiseLike<MessageRecord[]> =>
      inLane({ sendLane: scheduledLane })
        .find({ 'dispatch.notBefore': { $lte: now } })
        .sort({ 'dispatch.notBefore': 1 })
        .limit(500)
        .hint('scheduled'),
  }
}
