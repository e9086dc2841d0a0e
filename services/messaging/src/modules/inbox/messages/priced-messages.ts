import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type MessageRecord, messageSchema } from './messages.model.ts'

export type PricedMessage = Pick<MessageRecord, 'id' | 'pricing' | 'statusAt' | 'cause' | 'sample'>

/** Reads the prices that WhatsApp reported for sent messages, for counting. */
export function createPricedMessages(connection: ServiceConnection) {
  const definition = { connection, name: 'messages', schema: messageSchema }
  const messages = workspaceCollection<MessageRecord>(definition)
  const everywhere = scopedCollection<object, MessageRecord>(definition, () => ({ direction: 'outbound' }))
  const fields = 'pricing statusAt cause sample'
  return {
    /** Returns all workspaces that have sent anything, for an operator's job: it reads every message. */
    workspaceIds: async (): Promise<string[]> => {
      const pipeline = [{ $match: { waMessageId: { $exists: true } } }, { $group: { _id: '$workspaceId' } }]
      const found = await everywhere({}).aggregate<{ _id: string }>(pipeline, { hint: 'wamid' })
      return found.map(({ _id }) => _id)
    },
    /** Returns all messages that were sent, one after the other. */
    sent: (scope: WorkspaceScope): AsyncIterable<PricedMessage> =>
      messages(scope)
        .find({ waMessageId: { $exists: true }, direction: 'outbound' })
        .select(fields)
        .hint('wamid'),
    of: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<PricedMessage[]> =>
      messages(scope)
        .find({ _id: { $in: ids } })
        .select(fields),
  }
}
