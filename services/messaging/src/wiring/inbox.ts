import { createCampaignsRepository } from '../modules/campaigns/campaigns.repository.ts'
import { createAssignmentRepository } from '../modules/inbox/assignment/assignment.repository.ts'
import { createAssignmentService } from '../modules/inbox/assignment/assignment.service.ts'
import { createConversationChanges } from '../modules/inbox/conversations/changes.service.ts'
import { createInboxService } from '../modules/inbox/conversations/inbox.service.ts'
import { createMessageActions } from '../modules/inbox/messages/actions.service.ts'
import { createPassports } from '../modules/inbox/messages/passport.service.ts'
import { createThreadService } from '../modules/inbox/messages/thread.service.ts'
import { createReadReceipts } from '../modules/inbox/read-receipts/read-receipts.service.ts'
import { createRepliesRepository } from '../modules/inbox/replies/replies.repository.ts'
import { createRepliesService } from '../modules/inbox/replies/replies.service.ts'
import { createMessageSearchRepository } from '../modules/inbox/search/message-search.repository.ts'
import { createSearchService } from '../modules/inbox/search/search.service.ts'
import { createSearchIndex } from '../modules/inbox/search/search-index.ts'
import { createOutboundMedia } from '../modules/media/outbound-media.ts'
import { createRequestOf } from '../modules/outbound/sending/request-of.ts'
import { createPriceAt } from '../modules/usage/rate-cards/price-at.ts'
import type { CampaignCounts } from './campaign-counts.ts'
import type { Contacts } from './contacts.ts'
import type { Messages } from './messages.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

/** Wires the inbox: what members see of conversations and do with them. */
export function wireInbox(
  { mongo, cursors, queues, transaction, wakeSender, members }: Platform,
  stores: Stores,
  given: {
    readonly numbers: Numbers
    readonly messages: Messages
    readonly contacts: Contacts
    readonly counts: CampaignCounts
  },
) {
  const { conversations, messages } = given.messages
  const inbox = createInboxService({
    conversations: stores.conversations,
    cursors,
    shown: conversations,
    isContact: async (scope, id) => (await stores.contacts.read(scope, id))?.live === true,
    defaultNumber: given.numbers.numbers.defaultId,
  })
  const thread = createThreadService({ messages: stores.messages, conversations, cursors })
  const changes = createConversationChanges({
    conversations: stores.conversations,
    shown: conversations,
    unreadAfter: thread.unreadAfter,
    noteActivity: messages.insertNote,
    checkMembers: members.check,
    transaction,
  })
  const assignment = createAssignmentService({
    assignments: createAssignmentRepository(mongo),
    states: stores.automationStates,
    conversations: stores.conversations,
    transaction,
    queue: queues.jobs('assignment-due').add,
    give: changes.give,
    countOpenOf: inbox.countOpenOf,
    checkMembers: members.check,
  })
  const actions = createMessageActions({
    messages: stores.messages,
    sent: messages,
    thread,
    conversations,
    checkTemplate: given.counts.checkTemplate,
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
    requestOf: createRequestOf({
      contacts: given.contacts.contacts,
      readMessages: stores.messages.readMany,
      knownFiles: createOutboundMedia(mongo, given.messages.media).known,
    }),
    eventsAbout: async (scope, waMessageIds) => stores.rawEvents.about(scope, waMessageIds),
  })
  const searchRepository = createMessageSearchRepository(mongo)
  const search = createSearchService({ search: searchRepository, thread, conversations, cursors })
  const indexMessages = createSearchIndex({ search: searchRepository, thread })
  const replies = createRepliesService({ replies: createRepliesRepository(mongo), cursors })
  return {
    inbox,
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
