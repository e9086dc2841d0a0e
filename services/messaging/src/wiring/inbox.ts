import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createAssignmentRepository } from '../features/assignment/assignment.repository.ts'
import { createAssignmentService } from '../features/assignment/assignment.service.ts'
import { createCampaignsRepository } from '../features/campaigns/campaigns.repository.ts'
import { createConversationChanges } from '../features/conversations/changes.service.ts'
import type { ConversationsService } from '../features/conversations/conversations.service.ts'
import { createInboxService } from '../features/conversations/inbox.service.ts'
import { createMessageActions } from '../features/messages/actions.service.ts'
import type { MessagesService } from '../features/messages/messages.service.ts'
import { createPassports } from '../features/messages/passport.service.ts'
import { createThreadService } from '../features/messages/thread.service.ts'
import { createPriceAt } from '../features/rate-cards/price-at.ts'
import { createReadReceipts } from '../features/read-receipts/read-receipts.service.ts'
import { createRepliesRepository } from '../features/replies/replies.repository.ts'
import { createRepliesService } from '../features/replies/replies.service.ts'
import { createMessageSearchRepository } from '../features/search/message-search.repository.ts'
import { createSearchService } from '../features/search/search.service.ts'
import { createSearchIndex } from '../features/search/search-index.ts'
import { createViewsRepository } from '../features/views/views.repository.ts'
import { createViewsService } from '../features/views/views.service.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

/** Wires what members do in the inbox. */
export function wireInbox(
  { mongo, cursors, transaction, wakeSender }: Platform,
  stores: Stores,
  {
    conversations,
    messages,
    defaultNumber,
  }: {
    readonly conversations: ConversationsService
    readonly messages: MessagesService
    readonly defaultNumber: (scope: WorkspaceScope) => Promise<string | undefined>
  },
) {
  const inbox = createInboxService({
    conversations: stores.conversations,
    cursors,
    shown: conversations,
    isContact: async (scope, id) => (await stores.contacts.read(scope, id))?.live === true,
    defaultNumber,
  })
  const thread = createThreadService({ messages: stores.messages, conversations, cursors })
  const changes = createConversationChanges({
    conversations: stores.conversations,
    shown: conversations,
    unreadAfter: thread.unreadAfter,
    noteActivity: messages.insertNote,
    transaction,
  })
  const assignment = createAssignmentService({
    assignments: createAssignmentRepository(mongo),
    give: changes.give,
    countOpenOf: inbox.countOpenOf,
  })
  const actions = createMessageActions({
    messages: stores.messages,
    sent: messages,
    thread,
    conversations,
    transaction,
    wake: wakeSender,
  })
  const passports = createPassports({
    thread,
    priceAt: createPriceAt({
      phoneOf: async (scope, id) => (await stores.contacts.read(scope, id))?.phone,
      cardAt: stores.rateCards.at,
    }),
    readCampaign: createCampaignsRepository(mongo, cursors).read,
    toldAbout: async (scope, waMessageIds) => stores.rawEvents.about(scope, waMessageIds),
  })
  const searchRepository = createMessageSearchRepository(mongo)
  const search = createSearchService({ search: searchRepository, thread, conversations, cursors })
  const indexMessages = createSearchIndex({ search: searchRepository, thread })
  const replies = createRepliesService({ replies: createRepliesRepository(mongo), cursors })
  const views = createViewsService({ views: createViewsRepository(mongo), transaction })
  return {
    inbox,
    views,
    thread,
    changes,
    assignment,
    actions,
    passports,
    search,
    indexMessages,
    replies,
    readReceipts: createReadReceipts(mongo),
  }
}
