import type { Message } from '@parley/contracts/inbox/messages'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../../platform/sample-records.ts'
import { messagesIn } from './messages.model.ts'

/** A message of the sample, and in whose conversation it stands. */
export interface SampleMessage extends Message {
  readonly contactId: string
  readonly numberId: string
}

/** Messages of the sample data. */
export function createSampleMessages(connection: ServiceConnection) {
  const messages = messagesIn(connection)
  const records = sampleRecords(messages)
  const others = { sample: { $exists: false } }

  return {
    /** @param fileIds ids of files in the workspace by those that the sample names. */
    insert: (scope: WorkspaceScope, sample: readonly SampleMessage[], fileIds: ReadonlyMap<string, string>) =>
      records.insert(
        scope,
        sample.map((message) => recordOf(message, fileIds)),
      ),
    /** Files of messages of the sample. */
    files: async (scope: WorkspaceScope): Promise<string[]> => {
      const named = { 'content.mediaId': { $exists: true } }
      return (await messages(scope).distinct('content.mediaId', { ...named, sample: true })).map(String)
    },
    remove: records.remove,
    /** Returns those of these conversations with messages outside the sample data, their count as records have it, and the first time. */
    writtenIn: async (scope: WorkspaceScope, conversationIds: readonly string[]) => {
      if (conversationIds.length === 0) return []
      const ids = await messages(scope).distinct('conversationId', {
        ...others,
        conversationId: { $in: conversationIds },
      })
      return Promise.all(
        ids.map(String).map(async (conversationId) => {
          const filter = { ...others, conversationId }
          const first = await messages(scope).findOne(filter, { sort: { sentAt: 1, _id: 1 }, hint: 'thread' })
          // A conversation's record does not count what campaigns have sent.
          const counted = { ...filter, 'cause.kind': { $ne: 'campaign' } }
          const count = await messages(scope).countDocuments(counted, { hint: 'thread' })
          return { conversationId, messages: count, firstAt: first?.sentAt }
        }),
      )
    },
  }
}

const recordOf = (
  { id: _id, error, sentAt, reactions, ...message }: SampleMessage,
  fileIds: ReadonlyMap<string, string>,
) => ({
  _id,
  conversationId: message.conversationId,
  contactId: message.contactId,
  numberId: message.numberId,
  direction: message.direction,
  content: contentOf(message, fileIds),
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

/** A file is named by its id alone: its address follows from it. */
function contentOf({ content }: Pick<SampleMessage, 'content'>, fileIds: ReadonlyMap<string, string>) {
  if (!('mediaId' in content) || content.mediaId === undefined) return content
  const { url: _url, mediaId, ...rest } = content
  return { ...rest, mediaId: fileIds.get(mediaId) }
}
