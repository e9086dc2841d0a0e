import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../../platform/sample-records.ts'
import { conversationsIn } from './conversations.model.ts'
import { searchOf } from './conversations.service.ts'
import { owning } from './visible-to.ts'

/** A conversation of the sample with what its contract does not tell. */
export interface SampleConversation extends Omit<Conversation, 'waitingSince'> {
  readonly lastMessageId: string
  readonly waitingSince: Date | undefined
}

/** Conversations of the sample data. */
export function createSampleConversations(connection: ServiceConnection) {
  const conversations = conversationsIn(connection)
  const records = sampleRecords(conversations)

  return {
    insert: (scope: WorkspaceScope, sample: readonly SampleConversation[]) =>
      records.insert(scope, sample.map(recordOf)),
    ids: records.ids,
    remove: records.remove,
    /** A conversation that continues without the sample's messages. */
    keep: async (
      scope: WorkspaceScope,
      id: string,
      { messages, firstAt }: { messages: number; firstAt: Date | undefined },
    ): Promise<void> => {
      const set = { messageCount: messages, ...(firstAt && { firstMessageAt: firstAt }) }
      await conversations(scope).updateOne({ _id: id }, { $set: set, $unset: { sample: 1 } })
    },
    /** Returns the contacts and numbers that conversations outside the sample data name. */
    namedByOthers: async (scope: WorkspaceScope, contactIds: readonly string[]) => {
      const others = { sample: { $exists: false } }
      const [contacts, numbers] = await Promise.all([
        conversations(scope).distinct('contactId', { ...others, contactId: { $in: contactIds } }),
        conversations(scope).distinct('numberId', others),
      ])
      return { contactIds: contacts.map(String), numberIds: numbers.map(String) }
    },
  }
}

const recordOf = (conversation: SampleConversation) => {
  const { contact, numberId, status, owner, unreadCount, lastMessage, history, windowExpiresAt } = conversation
  return {
    _id: conversation.id,
    contactId: contact.id,
    numberId,
    status,
    ...owning(owner),
    ownerEpoch: 0,
    unreadCount,
    messageCount: history.messages,
    lastMessage: { ...lastMessage, id: conversation.lastMessageId, at: new Date(lastMessage.at) },
    firstMessageAt: new Date(history.firstContactAt),
    ...(windowExpiresAt !== undefined && { windowExpiresAt: new Date(windowExpiresAt) }),
    ...(conversation.waitingSince && { waitingSince: conversation.waitingSince }),
    search: searchOf({ ...contact, blocked: false }),
    createdAt: new Date(conversation.createdAt),
    sample: true as const,
  }
}
