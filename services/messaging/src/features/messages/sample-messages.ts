import type { Message } from '@parley/contracts/messages'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../sample-records.ts'
import { type MessageRecord, messageSchema } from './messages.model.ts'

/** A message of the sample, and in whose conversation it stands. */
export interface SampleMessage extends Message {
  readonly contactId: string
  readonly numberId: string
}

/** Messages of the sample data. */
export function createSampleMessages(connection: ServiceConnection) {
  const messages = workspaceCollection<MessageRecord>({ connection, name: 'messages', schema: messageSchema })
  const records = sampleRecords(messages)
  const others = { sample: { $exists: false } }

  return {
    insert: (scope: WorkspaceScope, sample: readonly SampleMessage[]) => records.insert(scope, sample.map(recordOf)),
    remove: records.remove,
    /** Of these conversations those in which somebody has written, with what they go on as. */
    writtenIn: async (scope: WorkspaceScope, conversationIds: readonly string[]) => {
      if (conversationIds.length === 0) return []
      const ids = await messages(scope).distinct('conversationId', {
        ...others,
        conversationId: { $in: conversationIds },
      })
      return Promise.all(
        ids.map(String).map(async (conversationId) => {
          const own = { ...others, conversationId }
          const first = await messages(scope).findOne(own, { sort: { sentAt: 1, _id: 1 }, hint: 'thread' })
          const count = await messages(scope).countDocuments(own, { hint: 'thread' })
          return { conversationId, messages: count, firstAt: first?.sentAt }
        }),
      )
    },
  }
}

const recordOf = ({ id: _id, error, sentAt, reactions, ...message }: SampleMessage) => ({
  _id,
  conversationId: message.conversationId,
  contactId: message.contactId,
  numberId: message.numberId,
  direction: message.direction,
  content: message.content,
  ...(message.status && { status: message.status }),
  statusAt: {},
  ...(error && { error: { code: error.code, details: error.title } }),
  ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
  ...(reactions && { reactions: reactions.map((reaction) => ({ ...reaction, at: new Date(reaction.at) })) }),
  cause: message.cause,
  sentAt: new Date(sentAt),
  createdAt: new Date(sentAt),
  sample: true as const,
})
