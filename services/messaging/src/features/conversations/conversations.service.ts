import type { Conversation, ConversationQuery } from '@parley/contracts/conversations'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConversationRecord } from './conversations.model.ts'
import type { ConversationChange, ConversationsRepository, Pair } from './conversations.repository.ts'

export type { ConversationRecord } from './conversations.model.ts'
export type { ConversationChange, Pair } from './conversations.repository.ts'

/** A contact as the inbox shows it. */
export interface ShownContact {
  readonly id: string
  readonly name: string
  readonly phone?: string | undefined
  readonly tags: readonly string[]
}

export type ConversationsService = ReturnType<typeof createConversationsService>

export function createConversationsService({
  conversations,
  contactsOf,
}: {
  conversations: ConversationsRepository
  contactsOf: (scope: WorkspaceScope, ids: readonly string[]) => Promise<Map<string, ShownContact>>
}) {
  /** The conversations of contacts with a number, begun where they are missing. @returns contact id → conversation id. */
  async function ensure(scope: WorkspaceScope, pairs: readonly Pair[]): Promise<Map<string, string>> {
    const found = await findPairs(scope, pairs)
    const missing = pairs.filter((pair) => !found.has(keyOf(pair)))
    if (missing.length === 0) return found
    await conversations.begin(scope, missing)
    return findPairs(scope, pairs)
  }

  async function findPairs(scope: WorkspaceScope, pairs: readonly Pair[]): Promise<Map<string, string>> {
    const byNumber = Map.groupBy(pairs, ({ numberId }) => numberId)
    const found = await Promise.all(
      [...byNumber].map(([numberId, own]) =>
        conversations.ofContacts(
          scope,
          numberId,
          own.map(({ contactId }) => contactId),
        ),
      ),
    )
    return new Map(found.flat().map((conversation) => [keyOf(conversation), conversation.id]))
  }

  /**
   * Applies what new messages did, inside their transaction, and records an event for each conversation.
   * @throws `unseen` where a conversation that was just begun is not in the transaction's snapshot yet: it is tried again.
   */
  async function apply(scope: WorkspaceScope, changes: readonly ConversationChange[], tx: Tx): Promise<void> {
    const matched = await conversations.apply(scope, changes, { session: tx.session })
    if (matched !== changes.length) throw errors.serviceUnavailable(new Error('a conversation is not visible yet'))
    await announce(
      scope,
      changes.map(({ id }) => id),
      tx,
    )
  }

  /** Records that conversations have changed, as lists show them. */
  async function announce(scope: WorkspaceScope, ids: readonly string[], tx: Tx): Promise<void> {
    if (ids.length === 0) return
    const records = await conversations.readMany(scope, ids, { session: tx.session })
    const contacts = await contactsOf(
      scope,
      records.map(({ contactId }) => contactId),
    )
    for (const record of records) {
      tx.emit({
        workspaceId: scope.workspaceId,
        type: 'conversation.changed',
        recordId: record.id,
        version: record.version,
        conversationId: record.id,
        contactId: record.contactId,
        by: { kind: 'system' },
        data: { conversation: toConversation(record, contacts.get(record.contactId)) },
      })
    }
  }

  async function list(
    scope: WorkspaceScope,
    { limit = 25 }: Pick<ConversationQuery, 'limit'>,
  ): Promise<Conversation[]> {
    const records = await conversations.newest(scope, Number(limit))
    const contacts = await contactsOf(
      scope,
      records.map(({ contactId }) => contactId),
    )
    return records.map((record) => toConversation(record, contacts.get(record.contactId)))
  }

  /** @throws `not_found` for one of another workspace too. */
  async function read(scope: WorkspaceScope, id: string): Promise<ConversationRecord> {
    const record = await conversations.read(scope, id)
    if (!record) throw errors.notFound('There is no such conversation.')
    return record
  }

  async function show(scope: WorkspaceScope, id: string): Promise<Conversation> {
    const record = await read(scope, id)
    return toConversation(record, (await contactsOf(scope, [record.contactId])).get(record.contactId))
  }

  return { ensure, apply, announce, list, read, show, showStatus: conversations.showStatus }
}

const keyOf = ({ numberId, contactId }: Pair): string => `${numberId}/${contactId}`

function toConversation(record: ConversationRecord, contact: ShownContact | undefined): Conversation {
  const { lastMessage, windowExpiresAt, owner } = record
  const status = lastMessage?.status
  const at = (lastMessage?.at ?? record.createdAt).toISOString()
  return {
    id: record.id,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    version: record.version,
    contact: {
      id: record.contactId,
      name: contact?.name ?? 'Customer',
      ...(contact?.phone !== undefined && { phone: contact.phone }),
      tags: [...(contact?.tags ?? [])],
    },
    numberId: record.numberId,
    status: record.status,
    owner: { kind: owner.kind === 'workflow' ? 'bot' : owner.kind, ...(owner.id !== undefined && { id: owner.id }) },
    unreadCount: record.unreadCount,
    lastMessage: {
      text: lastMessage?.text ?? '',
      direction: lastMessage?.direction ?? 'inbound',
      ...(isShownStatus(status) && { status }),
      at,
    },
    ...(windowExpiresAt && { windowExpiresAt: windowExpiresAt.toISOString() }),
    history: {
      messages: record.messageCount,
      firstContactAt: (record.firstMessageAt ?? record.createdAt).toISOString(),
      lastActiveAt: at,
    },
  }
}

type ShownStatus = NonNullable<Conversation['lastMessage']['status']>
const isShownStatus = (status: string | undefined): status is ShownStatus =>
  status !== undefined && ['queued', 'sent', 'delivered', 'read', 'failed'].includes(status)
