import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ThreadService } from '../messages/thread.service.ts'
import type { MessageSearchRepository } from './message-search.repository.ts'
import { searchableText, searchTerms } from './search-terms.ts'

/**
 * Makes messages findable, behind the log of events: what it costs is three times the message itself, so it stands in no
 * one's way.
 */
export const createSearchIndex =
  ({ search, thread }: { search: MessageSearchRepository; thread: Pick<ThreadService, 'recordsOf'> }) =>
  /** Takes over what events tell of messages, in the transaction that marks them as read. */
  async (scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> => {
    const ids = events.flatMap((event) => {
      if (event.type === 'history.added') return event.data.messageIds
      return event.type === 'message.changed' && isNews(event.data) ? event.data.messageId : []
    })
    const records = await thread.recordsOf(scope, [...new Set(ids)], { session: tx.session })
    const words = records.map(({ id, conversationId, sentAt, content, deletedAt }) => ({
      id,
      conversationId,
      at: sentAt,
      words: deletedAt ? [] : searchTerms(searchableText(content)),
    }))
    await search.replace(scope, words, tx)
  }

/** The steps of an outbound message change nothing of its text. */
const isNews = ({ created = false, direction }: { created?: boolean | undefined; direction: string }): boolean =>
  created || direction !== 'outbound'
