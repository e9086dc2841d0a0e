import type { Message } from '@parley/contracts/inbox/messages'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { storedTrace } from '@parley/service-kit/core/tracing'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { MediaService } from '../../media/media.service.ts'
import type {
  ConversationChange,
  ConversationRecord,
  ConversationsService,
} from '../conversations/conversations.service.ts'
import { type MessageRecord, newMessageId } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { type MessagesService, windowClosed } from './messages.service.ts'
import { type Outgoing, outgoingContent } from './outgoing-content.ts'
import { scheduledLane } from './send-lanes.repository.ts'
import { isWindowOpen } from './service-window.ts'
import { summaryLine } from './summary-line.ts'
import { toMessage } from './to-message.ts'

const maxAheadMs = 30 * 24 * 3600_000

/** Content to send, and on whose behalf. */
export interface SendRequest {
  readonly content: Outgoing
  readonly replyTo?: string | undefined
  /** Time of a scheduled message: it is checked then, not now. */
  readonly sendAt?: Date | undefined
  /** Priority: 0 is a reply, of a person or a bot; messages that nobody has asked for wait for those. */
  readonly priority?: number
  /** Epoch of the conversation under which an automation sends it: it does not leave once a person takes part. */
  readonly epoch?: number | undefined
  /** The id that the page gave the message: a second send with it is the same message. */
  readonly clientId?: string | undefined
  readonly cause: MessageRecord['cause']
}

/** A message that has been checked as far as that is no part of its transaction. */
export interface PreparedSend {
  readonly request: SendRequest
  readonly content: MessageRecord['content']
}

/** Causes of templates that the plan allows one by one. */
const byPlan: ReadonlySet<string> = new Set(['member', 'bot', 'workflow', 'api'])

export type OutgoingService = ReturnType<typeof createOutgoing>

interface Dependencies {
  readonly messageRecords: MessagesRepository
  readonly messages: Pick<MessagesService, 'create' | 'change'>
  readonly conversations: Pick<ConversationsService, 'read' | 'apply'>
  readonly transaction: RunInTransaction
  /** Tells the sender that a lane has work. */
  readonly wakeSender: (lane: number) => void
  readonly media: Pick<MediaService, 'take'>
  readonly contactRecords: {
    readonly read: (scope: WorkspaceScope, id: string) => PromiseLike<{ readonly blocked?: boolean | undefined } | null>
  }
  readonly quota: {
    /** Checks whether the plan allows a single template. @throws `quota_reached`. */
    readonly checkTemplate: (scope: WorkspaceScope, conversationId: string) => Promise<void>
  }
  readonly now?: Clock
}

/** The one way out, for members, campaigns, bots, workflows and the API. */
export function createOutgoing(deps: Dependencies) {
  const { messageRecords: messages, messages: sent, conversations, transaction, wakeSender: wake } = deps
  const { now = () => new Date() } = deps

  /**
   * Checks contact, window, quoted message and file, and stores the message as work for the sender. Nothing
   * is called here. What was sent with the same client id already is answered with, and not sent again.
   * @throws `not_found`, `window_closed`, `wrong_state`, `validation_failed`, `quota_reached`.
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
    const prepared = await prepare(scope, conversationId, request)
    return transaction((tx) => store(scope, conversationId, prepared, tx))
  }

  /**
   * Reads the file of a message, and checks what the plan allows: all that is not part of the transaction that stores it.
   * @throws `validation_failed`, `quota_reached`.
   */
  async function prepare(scope: WorkspaceScope, conversationId: string, request: SendRequest): Promise<PreparedSend> {
    // Campaigns have a quota of their own, and a rule answers for the workspace.
    if (request.content.type === 'template' && byPlan.has(request.cause.kind))
      await deps.quota.checkTemplate(scope, conversationId)
    return {
      request,
      content: await outgoingContent(request.content, (mediaId) => deps.media.take(scope, mediaId)),
    }
  }

  /**
   * Stores a message as work for the sender, as part of a transaction; the caller wakes the sender after its commit.
   * @throws `not_found`, `window_closed`, `wrong_state`; a duplicate key for a client id that was used.
   */
  async function store(
    scope: WorkspaceScope,
    conversationId: string,
    { request, content }: PreparedSend,
    tx: Tx,
  ): Promise<MessageRecord> {
    const id = newMessageId()
    const conversation = await conversations.read(scope, conversationId, { session: tx.session })
    const { sendAt } = request
    const sentAt = sendAt ?? now()
    await check(scope, conversation, request, tx)
    const record = await sent.create(scope, outboundOf(id, { conversation, request, content, sentAt }), tx)
    // A scheduled message shows in lists once it leaves.
    if (sendAt) return record
    const last = {
      id,
      text: summaryLine(record.content),
      direction: 'outbound' as const,
      status: 'queued',
      at: sentAt,
    }
    await conversations.apply(scope, [changeBy(record, last)], tx)
    return record
  }

  async function check(scope: WorkspaceScope, conversation: ConversationRecord, request: SendRequest, tx: Tx) {
    const { content, replyTo, sendAt } = request
    if ((await deps.contactRecords.read(scope, conversation.contactId))?.blocked)
      throw errors.wrongState('This contact is blocked. Unblock the contact to message them.')
    const at = now().getTime()
    if (sendAt && (sendAt.getTime() <= at || sendAt.getTime() > at + maxAheadMs))
      throw errors.validation({ sendAt: 'Choose a time within the next 30 days.' })
    if (!sendAt && content.type !== 'template' && !isWindowOpen(conversation.windowExpiresAt, new Date(at)))
      throw windowClosed()
    const quoted = replyTo === undefined ? undefined : await messages.read(scope, replyTo, { session: tx.session })
    if (replyTo !== undefined && quoted?.conversationId !== conversation.id)
      throw errors.notFound('The message that this one answers is not in this conversation.')
  }

  /** Gives scheduled messages whose time has come to the sender. */
  async function releaseScheduled(due: readonly MessageRecord[]): Promise<void> {
    for (const message of due) {
      const { workspaceId, id, version, conversationId, numberId, status: from } = message
      const scope = { workspaceId }
      const set = { 'dispatch.state': 'queued', sendLane: String(laneOf(numberId)) }
      const last = {
        id,
        text: summaryLine(message.content),
        direction: 'outbound' as const,
        status: 'queued',
        at: message.sentAt,
      }
      await transaction(async (tx) => {
        await sent.change(scope, [{ id, version, conversationId, from, set }], tx)
        await conversations.apply(scope, [changeBy(message, last)], tx)
      })
      wake(laneOf(numberId))
    }
  }

  /** Refuses what {@link send} would refuse now, and stores nothing. @throws as {@link store} does. */
  async function checkNow(scope: WorkspaceScope, conversationId: string, request: SendRequest): Promise<void> {
    await transaction(async (tx) => {
      await check(scope, await conversations.read(scope, conversationId, { session: tx.session }), request, tx)
    })
  }

  return { send, check: checkNow, prepare, store, releaseScheduled }
}

/** Causes of messages that no person has written: a program may be an integration's agent, or send notices. */
const automated: ReadonlySet<string> = new Set(['bot', 'workflow', 'api'])

/** Returns what a message does to its conversation. A scheduled one was written earlier: a colleague who has it keeps it. */
function changeBy(
  { conversationId, cause, content, dispatch, sendAt }: MessageRecord,
  last: NonNullable<ConversationChange['last']>,
): ConversationChange {
  return {
    id: conversationId,
    unread: 0,
    messages: 1,
    last,
    reopens: false,
    isUnasked: (dispatch?.priority ?? 0) > 0 || (cause.kind === 'api' && content.type === 'template'),
    isAutomated: automated.has(cause.kind),
    continues: cause.kind === 'member' && sendAt === undefined,
    ...(cause.kind === 'member' && { person: { memberId: cause.id, keepsColleague: sendAt !== undefined } }),
  }
}

interface Outbound {
  readonly conversation: ConversationRecord
  readonly request: SendRequest
  readonly content: MessageRecord['content']
  readonly sentAt: Date
}

const outboundOf = (
  _id: string,
  {
    conversation: { id: conversationId, numberId, contactId },
    request: { clientId, cause, replyTo, sendAt, epoch, priority = 0 },
    content,
    sentAt,
  }: Outbound,
) => ({
  _id,
  conversationId,
  numberId,
  contactId,
  direction: 'outbound' as const,
  content,
  status: 'queued' as const,
  statusAt: { queued: sentAt },
  ...(clientId !== undefined && { clientId }),
  ...(replyTo !== undefined && { replyTo }),
  ...(sendAt && { sendAt }),
  ...(epoch !== undefined && { epoch }),
  cause,
  dispatch: {
    state: sendAt ? ('held' as const) : ('queued' as const),
    priority,
    notBefore: sentAt,
    attempts: 0,
    ...omitUndefined({ traceparent: storedTrace() }),
  },
  sendLane: sendAt ? scheduledLane : String(laneOf(numberId)),
  sentAt,
})
