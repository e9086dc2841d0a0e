import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../../platform/sample-records.ts'
import type { SampleMessage } from '../messages/sample-messages.ts'
import { type MessageWords, messageWordsSchema } from './message-search.model.ts'
import { searchableText, searchTerms } from './search-terms.ts'

/** Stores and removes the search words of sample messages. */
export function createSampleSearch(connection: ServiceConnection) {
  const { insert, remove } = sampleRecords(
    workspaceCollection<MessageWords>({ connection, name: 'messageSearch', schema: messageWordsSchema }),
  )
  return {
    insert: (scope: WorkspaceScope, messages: readonly SampleMessage[]) => insert(scope, messages.flatMap(recordOf)),
    remove,
  }
}

function recordOf({ id: _id, conversationId, sentAt, content }: SampleMessage) {
  const words = searchTerms(searchableText(content))
  return words.length > 0 ? [{ _id, conversationId, at: new Date(sentAt), words, sample: true as const }] : []
}
