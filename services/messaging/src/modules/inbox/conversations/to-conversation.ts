import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { ConversationRecord } from './conversations.model.ts'

/** A contact as the inbox shows it. */
export interface ShownContact {
  readonly id: string
  readonly name: string
  readonly phone?: string | undefined
  readonly username?: string | undefined
  readonly tags: readonly string[]
  readonly blocked: boolean
  readonly optIn?: { readonly marketing: 'in' | 'out' | 'unknown' }
}

/** A conversation as lists and events show it. */
export function toConversation(record: ConversationRecord, contact: ShownContact | undefined): Conversation {
  const { lastMessage, windowExpiresAt, snoozedUntil, waitingSince, dueAt, owner } = record
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
      ...(contact?.username !== undefined && { username: contact.username }),
      tags: [...(contact?.tags ?? [])],
      blocked: contact?.blocked ?? false,
      ...(contact?.optIn?.marketing === 'out' && { optedOut: true }),
    },
    numberId: record.numberId,
    status: record.status,
    owner: {
      kind: owner.kind,
      ...(owner.id !== undefined && { id: owner.id }),
      ...(owner.name !== undefined && { name: owner.name }),
    },
    unreadCount: record.unreadCount,
    lastMessage: {
      text: lastMessage?.text ?? '',
      direction: lastMessage?.direction ?? 'inbound',
      ...(isShownStatus(status) && { status }),
      at,
    },
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
    ...(windowExpiresAt && { windowExpiresAt: windowExpiresAt.toISOString() }),
    ...(waitingSince && { waitingSince: waitingSince.toISOString() }),
    ...(dueAt && { dueAt: dueAt.toISOString() }),
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
