import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { createAssignmentRepository } from './features/assignment/assignment.repository.ts'
import { createAssignmentService } from './features/assignment/assignment.service.ts'
import { createConversationChanges } from './features/conversations/changes.service.ts'
import type { ConversationsRepository } from './features/conversations/conversations.repository.ts'
import type { ConversationsService } from './features/conversations/conversations.service.ts'
import { createInboxService } from './features/conversations/inbox.service.ts'
import type { RawEventsRepository } from './features/ingest/raw-events.repository.ts'
import { createMessageActions } from './features/messages/actions.service.ts'
import type { MessagesRepository } from './features/messages/messages.repository.ts'
import type { MessagesService } from './features/messages/messages.service.ts'
import { createPassports, type PassportDependencies } from './features/messages/passport.service.ts'
import { createThreadService } from './features/messages/thread.service.ts'
import { createPriceAt } from './features/rate-cards/price-at.ts'
import type { RateCards } from './features/rate-cards/rate-cards.service.ts'
import { createRepliesRepository } from './features/replies/replies.repository.ts'
import { createRepliesService } from './features/replies/replies.service.ts'
import { createMessageSearchRepository } from './features/search/message-search.repository.ts'
import { createSearchService } from './features/search/search.service.ts'
import { createSearchIndex } from './features/search/search-index.ts'

/** Wires what members do in the inbox. */
export function createInbox(deps: {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly stores: {
    readonly conversations: ConversationsRepository
    readonly messages: MessagesRepository
    readonly rawEvents: Pick<RawEventsRepository, 'about'>
  }
  readonly conversations: ConversationsService
  readonly messages: MessagesService
  readonly isContact: (scope: WorkspaceScope, id: string) => Promise<boolean>
  readonly defaultNumber: (scope: WorkspaceScope) => Promise<string | undefined>
  readonly phoneOf: (scope: WorkspaceScope, contactId: string) => Promise<string | undefined>
  /** The prices of the workspace at a moment. */
  readonly cardAt: RateCards['at']
  readonly readCampaign: PassportDependencies['readCampaign']
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly wakeSender: (lane: number) => void
}) {
  const { mongo, cursors, stores, conversations, messages, transaction } = deps
  const { isContact, defaultNumber } = deps
  const inbox = createInboxService({
    conversations: stores.conversations,
    cursors,
    shown: conversations,
    isContact,
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
    wake: deps.wakeSender,
  })
  const passports = createPassports({
    thread,
    priceAt: createPriceAt({ phoneOf: deps.phoneOf, cardAt: deps.cardAt }),
    readCampaign: deps.readCampaign,
    toldAbout: async (scope, waMessageIds) => stores.rawEvents.about(scope, waMessageIds),
  })
  const searchRepository = createMessageSearchRepository(mongo)
  const search = createSearchService({ search: searchRepository, thread, conversations, cursors })
  const indexMessages = createSearchIndex({ search: searchRepository, thread })
  const replies = createRepliesService({ replies: createRepliesRepository(mongo), cursors })
  return { inbox, thread, changes, assignment, actions, passports, search, indexMessages, replies }
}
