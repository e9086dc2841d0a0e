import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessageRecord } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'

import { heldLane } from './send-lanes.repository.ts'

export { heldLane }

/** A number that has something to send. */
export interface SendingNumber {
  readonly workspaceId: string
  readonly numberId: string
}

/** Number of messages that may leave: people's replies, and others. */
export interface Capacity {
  readonly replies: number
  readonly others: number
}

/** Messages as work for the sender. */
export function createOutbox(messages: MessagesRepository) {
  const workspaces = new Map<string, string>()

  /** The numbers that have something to send in a lane. */
  async function numbersIn(lane: number): Promise<SendingNumber[]> {
    const numbers: SendingNumber[] = []
    for (const numberId of await messages.numbersInLane(lane)) {
      const workspaceId = workspaces.get(numberId) ?? (await messages.firstInLane(lane, numberId))?.workspaceId
      if (workspaceId === undefined) continue
      workspaces.set(numberId, workspaceId)
      numbers.push({ numberId, workspaceId })
    }
    return numbers
  }

  /**
   * Returns what a number may send now, replies first: of each conversation the oldest message that waits, if it is due. A
   * message that waits for its turn, or is being sent, holds up the later ones of its conversation. Of two campaigns that write
   * to the same customer the one with the earlier turn goes first: otherwise both would wait.
   */
  async function due(lane: number, { workspaceId, numberId }: SendingNumber, now: Date, room: Capacity) {
    const scope = { workspaceId }
    const replies = await messages.dueInLane(lane, numberId, { now, limit: room.replies, priority: 0 })
    const rest = room.others - replies.length
    const others = rest > 0 ? await messages.dueInLane(lane, numberId, { now, limit: rest, priority: 1 }) : []
    const candidates = [...replies, ...others]
    const waiting = await messages.waitingIn(scope, [...new Set(candidates.map((message) => message.conversationId))])
    const first = new Map<string, MessageRecord>()
    for (const message of waiting) {
      const before = first.get(message.conversationId)
      if (!before || (turnOf(before) > 0 && turnOf(message) > 0 && turnOf(message) < turnOf(before)))
        first.set(message.conversationId, message)
    }
    return candidates.filter(
      ({ id, conversationId, dispatch }) => dispatch?.passable || first.get(conversationId)?.id === id,
    )
  }

  /**
   * Takes messages for this process. @param places which of them WhatsApp counts, in which portfolio.
   * @returns those that no other process was faster with.
   */
  async function claim(
    scope: WorkspaceScope,
    wanted: readonly MessageRecord[],
    lease: { claim: string; leaseUntil: Date },
    places?: { portfolioId: string; at: Date; reserved: ReadonlySet<string> },
  ): Promise<MessageRecord[]> {
    const set = { 'dispatch.state': 'sending', 'dispatch.claim': lease.claim, 'dispatch.leaseUntil': lease.leaseUntil }
    const counted = places && { ...set, limit: { portfolioId: places.portfolioId, at: places.at } }
    const isCounted = ({ id }: MessageRecord) => places?.reserved.has(id) ?? false
    let matched = 0
    // A statement for all that were changed as often: for nearly all of a batch.
    for (const same of Map.groupBy(wanted, (message) => `${message.version} ${isCounted(message)}`).values()) {
      const [first] = same
      if (!first) continue
      const ids = same.map(({ id }) => id)
      matched += await messages.changeAlike(scope, ids, first.version, isCounted(first) && counted ? counted : set)
    }
    if (matched === wanted.length) return wanted.map((message) => ({ ...message, version: message.version + 1 }))
    return messages.claimedBy(
      scope,
      wanted.map(({ id }) => id),
      lease.claim,
    )
  }

  /**
   * Puts messages back, to be sent at another time.
   * @param deferred `isLate`: it could have left, and waits because an attempt has failed; what its number or its customer makes it wait for is
   * no delay of ours.
   */
  const defer = (
    scope: WorkspaceScope,
    deferred: readonly {
      message: MessageRecord
      notBefore: Date
      isLate?: boolean
      slotTaken?: boolean
      passable?: boolean
      attempts?: number
      error?: { code: number; message: string }
    }[],
  ) =>
    messages.change(
      scope,
      deferred.map(
        ({ message: { id, version, dispatch }, notBefore, isLate, slotTaken, passable, attempts, error }) => ({
          id,
          version,
          set: {
            'dispatch.state': 'queued',
            'dispatch.notBefore': notBefore,
            ...(isLate && { 'dispatch.lateSince': dispatch?.lateSince ?? dispatch?.notBefore ?? notBefore }),
            'dispatch.slotTaken': slotTaken ?? false,
            ...(passable && { 'dispatch.passable': true }),
            'dispatch.attempts': attempts ?? dispatch?.attempts ?? 0,
            ...(error && { 'dispatch.lastError': { code: error.code, message: error.message.slice(0, 500) } }),
          },
          unset: ['dispatch.claim', 'dispatch.leaseUntil'],
        }),
      ),
    )

  /** Keeps messages of campaigns out of the lanes until the campaign gives them back. */
  const holdBack = (scope: WorkspaceScope, ids: readonly string[]) =>
    messages.moveIds(scope, ids, { from: 'queued', to: { 'dispatch.state': 'held', sendLane: heldLane } })

  return {
    numbersIn,
    due,
    claim,
    defer,
    holdBack,
    known: messages.known,
    read: ({ workspaceId, id }: Pick<MessageRecord, 'workspaceId' | 'id'>) => messages.read({ workspaceId }, id),
    /** Messages whose process has died, or cannot write: whether they left is unknown. */
    lost: messages.leaseEnded,
    /** Messages whose sending has long been unconfirmed. */
    unconfirmed: messages.uncertainSince,
    /** Operations on the waiting messages of a campaign. */
    add: messages.insertMany,
    countOpen: messages.countOpen,
    countOpenByZone: messages.countOpenByZone,
    openIds: messages.openIds,
    firstKeptBack: messages.firstKeptBack,
    moveOpen: messages.moveOpen,
    heldWithOtherText: messages.heldWithOtherText,
    change: messages.change,
    readMany: messages.readMany,
    readOutcomes: messages.readOutcomes,
    answeredBeside: messages.answeredBeside,
    /** Finds scheduled messages that are due. */
    scheduledUntil: messages.scheduledUntil,
  }
}

/** Priority; 0 for a person's reply. */
const turnOf = ({ dispatch }: MessageRecord): number => dispatch?.priority ?? 0

export type Outbox = ReturnType<typeof createOutbox>
