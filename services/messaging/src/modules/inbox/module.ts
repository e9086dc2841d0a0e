import type { Base } from '../../records.ts'
import type { Channel } from '../channel/module.ts'
import type { Media } from '../media/module.ts'
import { createAssignmentRepository } from './assignment/assignment.repository.ts'
import { createAssignmentService } from './assignment/assignment.service.ts'
import { createAvailability } from './assignment/availability.service.ts'
import { createAwayAnswer } from './away-answer/away-answer.service.ts'
import { createConversationChanges } from './conversations/changes.service.ts'
import { createConversationsService } from './conversations/conversations.service.ts'
import { createInboxService } from './conversations/inbox.service.ts'
import { createSeesFile } from './conversations/sees-file.ts'
import { createDepartures } from './departures/departures.service.ts'
import { createMessageActions } from './messages/actions.service.ts'
import { createContactNotes } from './messages/contact-notes.ts'
import { createMediaFetching } from './messages/fetch-media.ts'
import { createConversationHistory } from './messages/history.service.ts'
import { createMessagesService } from './messages/messages.service.ts'
import { createOutgoing } from './messages/outgoing.service.ts'
import { createPassports, type PassportDependencies } from './messages/passport.service.ts'
import { createThreadService } from './messages/thread.service.ts'
import { createOpeningHours } from './opening-hours/opening-hours.service.ts'
import { createRatingsRepository } from './ratings/ratings.repository.ts'
import { createRatings } from './ratings/ratings.service.ts'
import { createReadReceipts } from './read-receipts/read-receipts.service.ts'
import { createReleasedFiles } from './replies/released-files.ts'
import { createRepliesRepository } from './replies/replies.repository.ts'
import { createRepliesService } from './replies/replies.service.ts'
import { createResponseTarget } from './response-target/response-target.service.ts'
import { createMessageSearchRepository } from './search/message-search.repository.ts'
import { createSearchIndex, createSearchService } from './search/search.service.ts'
import { createViewsService } from './views/views.service.ts'
import { createVisibility } from './visibility/visibility.service.ts'

/** The services of higher modules that this one calls. */
interface AboveInbox
  extends Pick<PassportDependencies, 'rateCards' | 'requestOf'>,
    Pick<Parameters<typeof createMessagesService>[0], 'recount'> {
  readonly quota: Parameters<typeof createOutgoing>[0]['quota'] & Parameters<typeof createDepartures>[0]['quota']
}
export type Inbox = ReturnType<typeof createInbox>

/** Conversations and their messages: what members see of them and do with them. */
export function createInbox(lower: Base & Media & Channel & AboveInbox) {
  const { mongo, cursors, media } = lower
  const conversations = createConversationsService(lower)
  const stored = { ...lower, conversations, replies: createRepliesRepository(mongo) }
  const messages = createMessagesService(stored)
  const thread = createThreadService(stored)
  const listing = createInboxService(stored)
  const inbox = { ...listing, seesFile: createSeesFile({ ...stored, visibleOf: listing.visibleOf }) }
  // A file of a conversation that a member does not see can be sent or kept by them as little as read.
  const take: (typeof media)['take'] = async (scope, id) =>
    scope.viewer === undefined || (await inbox.seesFile(scope, id)) ? media.take(scope, id) : undefined
  const seen = { media: { ...media, take } }
  const services = {
    conversations,
    messages,
    thread,
    inbox,
    changes: createConversationChanges({ ...stored, messages, thread }),
    openingHours: createOpeningHours(stored),
    outgoing: createOutgoing({ ...stored, ...seen, messages }),
    ratingRecords: createRatingsRepository(mongo, cursors),
    releasedFiles: createReleasedFiles(stored),
    visibility: createVisibility(mongo),
  }
  const assignments = createAssignmentRepository(mongo)
  const parts = { ...stored, ...seen, ...services, assignments, search: createMessageSearchRepository(mongo) }
  const awayAnswer = createAwayAnswer(parts)
  const assignment = createAssignmentService({ ...parts, awayAnswer })
  const contactNotes = createContactNotes(parts)
  return {
    ...services,
    assignment,
    contactNotes,
    actions: createMessageActions(parts),
    availability: createAvailability(parts),
    awayAnswer,
    conversationHistory: createConversationHistory({ ...parts, contactNotes }),
    departures: createDepartures({ ...parts, assignment }),
    indexMessages: createSearchIndex(parts),
    mediaFetching: createMediaFetching(parts),
    passports: createPassports(parts),
    ratings: createRatings(parts),
    readReceipts: createReadReceipts(mongo),
    replies: createRepliesService(parts),
    responseTarget: createResponseTarget(mongo),
    search: createSearchService(parts),
    views: createViewsService(lower),
  }
}
