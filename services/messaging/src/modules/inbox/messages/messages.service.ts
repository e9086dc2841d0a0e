import type { Said } from '@parley/contracts/platform/event-snapshots'
import type { Template } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import type { ConversationRecord, ConversationsService } from '../conversations/conversations.service.ts'
import { type AcceptedDependencies, createAcceptedMessages } from './accepted-messages.ts'
import { createTrackDelivery } from './delivery-state.ts'
import { emitHistory, emitMessage } from './message-events.ts'
import type { MessageRecord } from './messages.model.ts'
import type { MessagesRepository, NewMessageRecord } from './messages.repository.ts'
import { saidOf } from './said-of.ts'
import { summaryLine } from './summary-line.ts'

export { type MessageOutcome, type MessageRecord, newMessageId } from './messages.model.ts'
export type KnownMessage = Omit<MessageRecord, 'workspaceId' | 'createdAt' | 'updatedAt'>
export interface MessageChange {
  readonly id: string
  readonly version: number
  readonly conversationId: string
  /** Status as it was read. */
  readonly from: MessageRecord['status']
  readonly set: Record<string, unknown>
  readonly unset?: readonly string[]
  /** Set where it has left: an answer to the customer. */
  readonly answeredAt?: Date | undefined
  /** Set where the result is from before the number was connected: no one is notified. */
  readonly isHistory?: boolean | undefined
  /** Category, at that time, of the template with which it was accepted. */
  readonly category?: Template['category'] | undefined
}
/** A message that the platform reports. */
export type NewMessage = Pick<
  MessageRecord,
  | 'id'
  | 'conversationId'
  | 'numberId'
  | 'contactId'
  | 'direction'
  | 'content'
  | 'status'
  | 'statusAt'
  | 'error'
  | 'pricing'
  | 'payment'
  | 'reactions'
  | 'editedAt'
  | 'deletedAt'
  | 'replyTo'
  | 'forwarded'
  | 'referral'
  | 'productId'
  | 'mediaFetch'
  | 'sentAt'
> & { readonly waMessageId: string }

export type { MessagesRepository } from './messages.repository.ts'
export type MessagesService = ReturnType<typeof createMessagesService>

export function createMessagesService({
  messageRecords: messages,
  conversations,
  recount,
  contactRecords,
  now = () => new Date(),
}: {
  messageRecords: MessagesRepository
  conversations: Pick<ConversationsService, 'read' | 'apply' | 'announce' | 'showMessages'>
  recount: AcceptedDependencies['recount']
  contactRecords: Parameters<typeof createTrackDelivery>[0] & AcceptedDependencies['contactRecords']
  now?: Clock
}) {
  const recordReached = createTrackDelivery(contactRecords)

  /** Stores one message and announces it. */
  async function create(scope: WorkspaceScope, record: NewMessageRecord, tx: Tx): Promise<MessageRecord> {
    const stored = await messages.create(scope, record, { session: tx.session })
    emitMessage(scope, stored, tx, { created: true })
    return stored
  }

  /**
   * Stores messages that the platform has reported, inside the transaction that takes them from their lane.
   * @param history ids of those from before the number was connected: they are announced together.
   * @returns the others, for `announce`.
   */
  async function insert(
    scope: WorkspaceScope,
    fresh: readonly NewMessage[],
    tx: Tx,
    history: ReadonlySet<string> = new Set(),
  ): Promise<MessageRecord[]> {
    if (fresh.length === 0) return []
    const records = await messages.insertMany(
      scope,
      fresh.map(({ id: _id, ...message }) => ({
        _id,
        ...message,
        // A colleague has sent it from the WhatsApp Business app.
        cause:
          message.direction === 'outbound'
            ? { kind: 'phone_app', id: message.numberId }
            : { kind: 'customer', id: message.contactId },
      })),
      { session: tx.session },
    )
    const old = records.filter(({ id }) => history.has(id))
    emitHistory(
      scope,
      old.map((record) => ({ record, created: true })),
      tx,
    )
    return records.filter(({ id }) => !history.has(id))
  }

  /** Announces new messages. @param meaning what the text of one comes to, beside what it says. */
  function announce(
    scope: WorkspaceScope,
    records: readonly MessageRecord[],
    meaning: (record: MessageRecord) => Pick<Said, 'command' | 'campaignId'>,
    tx: Tx,
  ): void {
    for (const record of records) {
      const isWritten = record.direction === 'inbound' && !record.deletedAt
      const said = isWritten ? saidOf(record.content) : undefined
      emitMessage(scope, record, tx, { created: true, said: said && { ...said, ...meaning(record) } })
    }
  }

  /**
   * Writes what statuses or the sender have found out, each where the message is still as it was read.
   * @throws where another process has changed one meanwhile: the transaction is tried again.
   */
  async function change(scope: WorkspaceScope, changes: readonly MessageChange[], tx: Tx): Promise<void> {
    const matched = await messages.change(scope, changes, { session: tx.session })
    if (matched !== changes.length) throw errors.serviceUnavailable(new Error('a message has changed meanwhile'))
    const ids = changes.map(({ id }) => id)
    const changed = await messages.known(scope, { waMessageIds: [], ids }, { session: tx.session })
    const history = new Set(changes.flatMap(({ id, isHistory }) => (isHistory ? id : [])))
    const from = new Map(changes.map((change) => [change.id, change.from]))
    for (const record of changed)
      if (!history.has(record.id)) emitMessage(scope, record, tx, { from: from.get(record.id) })
    const old = changed.filter(({ id }) => history.has(id))
    emitHistory(
      scope,
      old.map((record) => ({ record, from: from.get(record.id) })),
      tx,
    )
    await recount.noteMessages(scope, changed, tx)
    const written = marketedTo(changed, changes)
    if (written.length > 0) await contactRecords.noteMarketing(scope, written, now(), tx)
    await recordReached(scope, changed, changes, tx)
    const answeredAt = new Map(changes.map((change) => [change.id, change.answeredAt]))
    const refused = new Set(changes.flatMap(({ id, set }) => (isWindowRefusal(set['error']) ? [id] : [])))
    const shown = changed.map((record) => ({
      conversationId: record.conversationId,
      messageId: record.id,
      text: summaryLine(record.content, record.deletedAt),
      status: record.status,
      answeredAt: answeredAt.get(record.id),
      ...(refused.has(record.id) && { windowRefused: { sentAt: record.sentAt, at: now() } }),
    }))
    const withNews = new Set(changed.flatMap(({ id, conversationId }) => (history.has(id) ? [] : conversationId)))
    const there = await conversations.showMessages(scope, shown, { session: tx.session })
    await conversations.announce(
      scope,
      there.filter((id) => withNews.has(id)),
      tx,
    )
  }

  /** A note in the thread: what a member writes for colleagues, or an activity line. It goes nowhere else. */
  async function insertNote(
    scope: WorkspaceScope,
    { id: conversationId, numberId, contactId }: ConversationRecord,
    note: Pick<MessageRecord, 'content' | 'cause' | 'clientId' | 'mentions'>,
    tx: Tx,
  ): Promise<MessageRecord> {
    const thread = { conversationId, numberId, contactId }
    return create(scope, { ...thread, direction: 'note', ...note, statusAt: {}, sentAt: now() }, tx)
  }

  const accepted = createAcceptedMessages({ messageRecords: messages, conversations, recount, contactRecords })
  return { create, insert, announce, change, insertNote, known: messages.known, accepted }
}

/**
 * The contacts of messages that WhatsApp has accepted as marketing just now: their platform id becomes known. Where a status is
 * faster than the answer to the call, it names the category that is billed (`marketing`, `marketing_lite`).
 */
function marketedTo(changed: readonly MessageRecord[], changes: readonly MessageChange[]): string[] {
  const accepted = new Map(
    changes.flatMap((change) => (change.set['waMessageId'] === undefined ? [] : [[change.id, change]])),
  )
  const contactIds = changed.flatMap(({ id, direction, contactId, pricing }) => {
    const change = accepted.get(id)
    const category = change?.category ?? pricing?.category
    return change && direction === 'outbound' && category?.startsWith('marketing') ? [contactId] : []
  })
  return [...new Set(contactIds)]
}

/** Returns whether WhatsApp has refused a message because its window is closed. */
const isWindowRefusal = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  classifyError(Number(error.code)).class === 'window_closed'

export const windowClosed = () =>
  new AppError(
    'window_closed',
    'The 24-hour window of this conversation is closed. Send an approved template; the customer opens the window again by answering.',
  )
