import type { Message } from '@parley/contracts/conversations'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { ConversationRecord, ConversationsService } from '../conversations/conversations.service.ts'
import { type MessageRecord, newMessageId } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { isWindowOpen } from './service-window.ts'
import { summaryLine } from './summary-line.ts'
import { toMessage } from './to-message.ts'

export { type MessageRecord, newMessageId } from './messages.model.ts'
export type KnownMessage = Omit<MessageRecord, 'workspaceId' | 'createdAt' | 'updatedAt'>
export interface MessageChange {
  readonly id: string
  readonly version: number
  readonly conversationId: string
  readonly set: Record<string, unknown>
  readonly unset?: readonly string[]
  /** It has left: an answer to the customer. */
  readonly answeredAt?: Date | undefined
}
/** A message that the platform tells of. */
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
  | 'reactions'
  | 'editedAt'
  | 'deletedAt'
  | 'replyTo'
  | 'forwarded'
  | 'referral'
  | 'sentAt'
> & { readonly waMessageId: string }

/** What can be sent, and on whose behalf. */
export interface SendRequest {
  readonly text: string
  /** The id that the page gave the message: a second send with it is the same message. */
  readonly clientId?: string | undefined
  readonly cause: MessageRecord['cause']
}

export type MessagesService = ReturnType<typeof createMessagesService>

export function createMessagesService({
  messages,
  conversations,
  transaction,
  wake,
  now = () => new Date(),
}: {
  messages: MessagesRepository
  conversations: Pick<ConversationsService, 'read' | 'apply' | 'announce' | 'showMessages'>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Tells the sender that a lane has work. */
  wake: (lane: number) => void
  now?: () => Date
}) {
  /**
   * The one way out: checks the window, and stores the message as work for the sender. Nothing is called here. What was sent
   * with the same client id already is answered with, and not sent again.
   * @throws `not_found`, `window_closed`.
   */
  async function send(scope: WorkspaceScope, conversationId: string, request: SendRequest): Promise<Message> {
    const sent = () => messages.byClientId(scope, conversationId, request.clientId)
    const stored =
      (await sent()) ??
      (await storeOutbound(scope, conversationId, request).catch(async (error: unknown) => {
        const first = isDuplicateKey(error) ? await sent() : null
        if (!first) throw error
        return first
      }))
    wake(laneOf(stored.numberId))
    return toMessage(stored)
  }

  async function storeOutbound(
    scope: WorkspaceScope,
    conversationId: string,
    request: SendRequest,
  ): Promise<MessageRecord> {
    const id = newMessageId()
    return transaction(async (tx) => {
      const conversation = await conversations.read(scope, conversationId)
      const sentAt = now()
      if (!isWindowOpen(conversation.windowExpiresAt, sentAt)) throw windowClosed()
      const record = await messages.create(scope, outboundOf(id, conversation, request, sentAt), {
        session: tx.session,
      })
      emitMessage(scope, record, tx, { created: true })
      const last = {
        id,
        text: summaryLine(record.content),
        direction: 'outbound' as const,
        status: 'queued',
        at: sentAt,
      }
      const raisesEpoch = request.cause.kind === 'member'
      await conversations.apply(
        scope,
        [{ id: conversationId, unread: 0, messages: 1, last, reopens: false, raisesEpoch }],
        tx,
      )
      return record
    })
  }

  /** Stores messages that the platform has told of and announces them, inside the transaction that takes them from their lane. */
  async function insert(scope: WorkspaceScope, told: readonly NewMessage[], tx: Tx): Promise<void> {
    if (told.length === 0) return
    const records = await messages.insertMany(
      scope,
      told.map(({ id: _id, ...message }) => ({ _id, ...message, cause: { kind: 'customer', id: message.contactId } })),
      { session: tx.session },
    )
    for (const record of records) emitMessage(scope, record, tx, { created: true })
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
    for (const record of changed) emitMessage(scope, record, tx)
    const answeredAt = new Map(changes.map((each) => [each.id, each.answeredAt]))
    const shown = changed.map((record) => ({
      conversationId: record.conversationId,
      messageId: record.id,
      text: summaryLine(record.content, record.deletedAt),
      status: record.status,
      answeredAt: answeredAt.get(record.id),
    }))
    await conversations.showMessages(scope, shown, { session: tx.session })
    await conversations.announce(scope, [...new Set(changes.map(({ conversationId }) => conversationId))], tx)
  }

  /** A note in the thread: what a member writes for colleagues, or an activity line. It goes nowhere else. */
  async function insertNote(
    scope: WorkspaceScope,
    { id: conversationId, numberId, contactId }: ConversationRecord,
    note: Pick<MessageRecord, 'content' | 'cause' | 'clientId'>,
    tx: Tx,
  ): Promise<MessageRecord> {
    const place = { conversationId, numberId, contactId }
    const record = await messages.create(
      scope,
      { ...place, direction: 'note', ...note, statusAt: {}, sentAt: now() },
      { session: tx.session },
    )
    emitMessage(scope, record, tx, { created: true })
    return record
  }

  return { send, insert, change, insertNote, known: messages.known }
}

export const windowClosed = () =>
  new AppError(
    'window_closed',
    'The 24-hour window of this conversation is closed. Send an approved template; the customer opens the window again by answering.',
  )

const outboundOf = (
  _id: string,
  { id: conversationId, numberId, contactId }: ConversationRecord,
  { text, clientId, cause }: SendRequest,
  sentAt: Date,
) => ({
  _id,
  conversationId,
  numberId,
  contactId,
  direction: 'outbound' as const,
  content: { type: 'text', text },
  status: 'queued' as const,
  statusAt: { queued: sentAt },
  ...(clientId !== undefined && { clientId }),
  cause,
  dispatch: { state: 'queued' as const, priority: 0, notBefore: sentAt, attempts: 0 },
  sendLane: String(laneOf(numberId)),
  sentAt,
})

function emitMessage(scope: WorkspaceScope, record: MessageRecord, tx: Tx, { created = false } = {}): void {
  tx.emit({
    workspaceId: scope.workspaceId,
    type: 'message.changed',
    at: record.sentAt.toISOString(),
    recordId: record.id,
    version: record.version,
    conversationId: record.conversationId,
    contactId: record.contactId,
    by: { kind: record.direction === 'inbound' ? 'contact' : 'system' },
    data: {
      messageId: record.id,
      conversationId: record.conversationId,
      direction: record.direction,
      status: record.status ?? null,
      ...(created && { created }),
    },
  })
}
