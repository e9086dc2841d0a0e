import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Records } from '../../../records.ts'
import type { MediaService } from '../../media/media.service.ts'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import { awaitedFileOf } from './awaited-file.ts'
import type { MessageRecord, Reaction } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { type MessageChange, type MessagesService, windowClosed } from './messages.service.ts'
import type { Mentioned } from './note-mentions.ts'
import { createNoteMentions } from './note-mentions.ts'
import { outgoingContent } from './outgoing-content.ts'
import { isWindowOpen } from './service-window.ts'
import { summaryLine } from './summary-line.ts'
import type { ThreadService } from './thread.service.ts'
import { toMessage } from './to-message.ts'

type SharedDependencies = Parameters<typeof createNoteMentions>[0]
interface Dependencies extends SharedDependencies {
  readonly messageRecords: MessagesRepository
  readonly recipientFiles: Pick<Records['recipientFiles'], 'retryOne'>
  readonly media: Pick<MediaService, 'take'>
  readonly messages: Pick<MessagesService, 'change' | 'insertNote'>
  readonly thread: Pick<ThreadService, 'find'>
  readonly conversations: Pick<ConversationsService, 'read' | 'announce'>
  readonly quota: {
    /** Checks whether the plan allows a person's template. @throws `quota_reached`. */
    readonly checkTemplate: (scope: WorkspaceScope, conversationId: string) => Promise<void>
  }
  readonly transaction: RunInTransaction
  /** Tells the sender that a lane has work. */
  readonly wakeSender: (lane: number) => void
  readonly now?: Clock
}

/** Creates the operations of members on single messages. */
export function createMessageActions(deps: Dependencies) {
  const { messageRecords: messages, messages: sent, thread, conversations, transaction, wakeSender: wake } = deps
  const { now = () => new Date() } = deps
  // Reads who is mentioned before the transaction, which makes no outside call.
  const readMentioned = createNoteMentions(deps)

  /**
   * Writes a note for colleagues, a text or a file; the same client id twice is the same note.
   * @throws `not_found`; `validation_failed` where there is no such file, or somebody mentioned is no member; `service_unavailable`
   * where that cannot be known.
   */
  async function note(
    ctx: UserContext,
    conversationId: string,
    { text = '', file, clientId, mentions = [] }: EndpointInput<typeof messagesApi.note>['body'],
  ): Promise<Message> {
    const content = file
      ? await outgoingContent(file, (mediaId) => deps.media.take(ctx, mediaId))
      : { type: 'text', text }
    const written = () => messages.byClientId(ctx, conversationId, clientId)
    const insert = (mentioned: Mentioned) =>
      transaction(async (tx) => {
        const conversation = await conversations.read(ctx, conversationId, { session: tx.session })
        const cause = { kind: 'member', id: ctx.userId }
        const told = mentioned.whoSee(conversation)
        const record = await sent.insertNote(
          ctx,
          conversation,
          {
            content,
            cause,
            ...(clientId !== undefined && { clientId }),
            ...(told.length > 0 && { mentions: told }),
          },
          tx,
        )
        if (told.length > 0) await mentioned.tell({ message: record, text: summaryLine(content), told }, tx)
        return record
      })
    const record =
      (await written()) ??
      (await insert(await readMentioned(ctx, mentions)).catch(async (error: unknown) => {
        const first = isDuplicateKey(error) ? await written() : null
        if (!first) throw error
        return first
      }))
    return toMessage(record)
  }

  /**
   * Sends a message again that failed, or that no status has confirmed for a quarter of an hour. The outcome of an earlier try
   * that WhatsApp had named no longer counts for it.
   * @throws `not_found`, `wrong_state`, `window_closed`, `quota_reached`.
   */
  async function retry(scope: WorkspaceScope, conversationId: string, messageId: string): Promise<Message> {
    const at = now()
    const changed = await change(scope, { conversationId, messageId }, async (message, tx) => {
      const { status, dispatch, waMessageId, formerWaMessageIds = [], content } = message
      if (!dispatch || (status !== 'failed' && dispatch.state !== 'uncertain'))
        throw errors.wrongState('Only a message that failed, or was not confirmed, can be sent again.')
      if (dispatch.state === 'uncertain' && !dispatch.unconfirmed)
        throw errors.wrongState(
          'WhatsApp may still confirm this message. You can send it again if no confirmation arrives within 15 minutes.',
        )
      const { windowExpiresAt } = await conversations.read(scope, conversationId, { session: tx.session })
      if (content.type !== 'template' && !isWindowOpen(windowExpiresAt, at)) throw windowClosed()
      if (content.type === 'template') await deps.quota.checkTemplate(scope, conversationId)
      const file = awaitedFileOf({ content })
      if (file && !(await deps.recipientFiles.retryOne(scope, file.id, tx)))
        throw errors.wrongState('Its file is no longer kept. Send the template again with the file.')
      return {
        set: {
          status: 'queued',
          statusAt: { queued: at },
          dispatch: { state: 'queued', priority: 0, notBefore: at, attempts: 0 },
          sendLane: String(laneOf(message.numberId)),
          ...(waMessageId !== undefined && { formerWaMessageIds: [...formerWaMessageIds, waMessageId].slice(-10) }),
        },
        // A person wants it sent, whoever has the conversation.
        unset: ['error', 'waMessageId', 'epoch'],
      }
    })
    wake(laneOf(changed.numberId))
    return toMessage(changed)
  }

  /** Takes back a message that has not left yet. @throws `not_found`, `wrong_state`. */
  async function cancel(scope: WorkspaceScope, conversationId: string, messageId: string): Promise<Message> {
    const changed = await change(scope, { conversationId, messageId }, async ({ dispatch }) => {
      if (dispatch?.state !== 'queued' && dispatch?.state !== 'held')
        throw errors.wrongState('This message is on its way already, or has arrived.')
      return { set: { 'dispatch.state': 'cancelled' }, unset: ['sendLane'] }
    })
    return toMessage(changed)
  }

  /**
   * Reacts to a message of the customer; an empty emoji takes the reaction back. It leaves as the customer's message's own work;
   * where one is on its way, the new one leaves after it.
   * @throws `not_found`, `window_closed`, `wrong_state`.
   */
  async function react(
    scope: WorkspaceScope,
    conversationId: string,
    messageId: string,
    emoji: string,
  ): Promise<Message> {
    const at = now()
    const changed = await change(scope, { conversationId, messageId }, async (message, tx) => {
      const { direction, content, waMessageId, reactions = [], dispatch, numberId } = message
      if (direction !== 'inbound' || content.type === 'system' || waMessageId === undefined)
        throw errors.wrongState('Only a message of the customer can be reacted to.')
      const { windowExpiresAt } = await conversations.read(scope, conversationId, { session: tx.session })
      if (!isWindowOpen(windowExpiresAt, at)) throw windowClosed()
      return {
        set: {
          reactions: [...reactions.filter(({ by }) => by !== 'member'), { by: 'member', emoji, at } satisfies Reaction],
          ...(dispatch?.state !== 'sending' && {
            dispatch: { state: 'queued', priority: 0, notBefore: at, attempts: 0 },
            sendLane: String(laneOf(numberId)),
          }),
        },
      }
    })
    wake(laneOf(changed.numberId))
    return toMessage(changed)
  }

  async function change(
    scope: WorkspaceScope,
    { conversationId, messageId }: { conversationId: string; messageId: string },
    decide: (message: MessageRecord, tx: Tx) => Promise<Pick<MessageChange, 'set' | 'unset'>>,
  ): Promise<MessageRecord> {
    await transaction(async (tx) => {
      const message = await thread.find(scope, conversationId, messageId, { session: tx.session })
      const { id, version, status: from } = message
      await sent.change(scope, [{ id, version, conversationId, from, ...(await decide(message, tx)) }], tx)
    })
    return thread.find(scope, conversationId, messageId)
  }

  return { note, retry, cancel, react }
}
