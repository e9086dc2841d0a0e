import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Media } from '../media/module.ts'
import { createAssignmentRepository } from './assignment/assignment.repository.ts'
import { createAssignmentService } from './assignment/assignment.service.ts'
import { createAvailability } from './assignment/availability.service.ts'
import { createAwayAnswer } from './away-answer/away-answer.service.ts'
import { createConversationChanges } from './conversations/changes.service.ts'
import { createConversationsRepository } from './conversations/conversations.repository.ts'
import { createConversationsService } from './conversations/conversations.service.ts'
import { createInboxService } from './conversations/inbox.service.ts'
import { createDeparturesRepository } from './departures/departures.repository.ts'
import { createDepartures } from './departures/departures.service.ts'
import { createMessageActions } from './messages/actions.service.ts'
import { createContactNotes } from './messages/contact-notes.ts'
import { createTrackDelivery } from './messages/delivery-state.ts'
import { createMediaFetching } from './messages/fetch-media.ts'
import { createConversationHistory } from './messages/history.service.ts'
import { createMessagesRepository } from './messages/messages.repository.ts'
import { createMessagesService } from './messages/messages.service.ts'
import { createNoteMentions } from './messages/note-mentions.ts'
import { createOutbox } from './messages/outbox.ts'
import { createOutgoing } from './messages/outgoing.service.ts'
import { createPassports, type PassportDependencies } from './messages/passport.service.ts'
import { createThreadService } from './messages/thread.service.ts'
import { createOpeningHours } from './opening-hours/opening-hours.service.ts'
import { createRatingsRepository } from './ratings/ratings.repository.ts'
import { createRatings } from './ratings/ratings.service.ts'
import { createReadReceipts } from './read-receipts/read-receipts.service.ts'
import { createRepliesRepository } from './replies/replies.repository.ts'
import { createRepliesService } from './replies/replies.service.ts'
import { createResponseTarget } from './response-target/response-target.service.ts'
import { createMessageSearchRepository } from './search/message-search.repository.ts'
import { createSearchIndex, createSearchService } from './search/search.service.ts'
import { createViewsRepository } from './views/views.repository.ts'
import { createViewsService } from './views/views.service.ts'
import { createVisibility } from './visibility/visibility.service.ts'

/** Functions of higher modules that this one calls. */
export interface AboveInbox
  extends Pick<Parameters<typeof createMessagesService>[0], 'noteInCampaigns'>,
    Pick<Parameters<typeof createOutgoing>[0], 'checkTemplate'>,
    Pick<PassportDependencies, 'priceAt' | 'readCampaign' | 'requestOf'> {
  readonly contactRecords: Pick<Parameters<typeof createMessagesService>[0], 'noteMarketing'> &
    Parameters<typeof createTrackDelivery>[0] &
    Pick<Parameters<typeof createRatings>[0], 'mergedIds'> & {
      readonly shown: Parameters<typeof createConversationsService>[0]['contactsOf']
    }
  /** Reads the sending hours, whose zone is the workspace's. */
  readonly readHours: (scope: WorkspaceScope) => Promise<{ readonly zone: string }>
  readonly isContact: Parameters<typeof createInboxService>[0]['isContact']
  readonly addNotifications: Parameters<typeof createDepartures>[0]['addNotifications']
  readonly skipTrial: Parameters<typeof createDepartures>[0]['skipTrial']
  readonly isBlocked: Parameters<typeof createOutgoing>[0]['isBlocked']
}
export type Inbox = ReturnType<typeof createInbox>

/** Conversations and their messages: what members see of them and do with them. */
export function createInbox(platform: Platform, { media, numbers, ...lower }: Media & Channel, above: AboveInbox) {
  const { mongo, cursors, members, wakeSender: wake } = platform
  const { contactRecords } = above
  const conversationRecords = createConversationsRepository(mongo)
  const messageRecords = createMessagesRepository(mongo)
  const conversations = createConversationsService({
    conversations: conversationRecords,
    contactsOf: contactRecords.shown,
  })
  const stored = { ...platform, ...above, conversations, messages: messageRecords, wake }
  const messages = createMessagesService({
    ...stored,
    noteMarketing: contactRecords.noteMarketing,
    recordReached: createTrackDelivery(contactRecords),
  })
  const thread = createThreadService(stored)
  const parts = { ...stored, sent: messages, thread }
  const lists = { ...platform, conversations: conversationRecords, shown: conversations }
  const inbox = createInboxService({
    ...lists,
    isContact: above.isContact,
    isNumber: async (scope, id) => isId(id) && (await numbers.read(scope, id)) !== null,
    defaultNumber: numbers.defaultId,
  })
  const changes = createConversationChanges({
    ...lists,
    unreadAfter: thread.unreadAfter,
    recordActivity: messages.insertNote,
    checkMembers: members.check,
  })
  const search = createMessageSearchRepository(mongo)
  const assignments = createAssignmentRepository(mongo)
  const openingHours = createOpeningHours(mongo, { zoneOf: async (scope) => (await above.readHours(scope)).zone })
  const visibility = createVisibility(mongo)
  const assignment = createAssignmentService({
    ...lists,
    assignments,
    states: platform.automationStates,
    queue: platform.queues.jobs('assignment-due').add,
    queueWorkspace: platform.queues.jobs('assignment-queue', { keepsWakes: true }).add,
    give: changes.give,
    takeFromAway: changes.takeFromAway,
    readHours: openingHours.read,
    checkMembers: members.check,
  })
  const contactNotes = createContactNotes(mongo, async (scope, contactIds) =>
    inbox.visibleOf(
      scope,
      (await conversationRecords.withContacts(scope, contactIds)).map(({ id }) => id),
    ),
  )
  const ratingRecords = createRatingsRepository(mongo, cursors)
  const outgoing = createOutgoing({ ...parts, describeMedia: media.describe })
  return {
    awayAnswer: createAwayAnswer({
      ...platform,
      readHours: openingHours.read,
      states: platform.automationStates,
      conversations: conversationRecords,
      messages: messageRecords,
      outgoing,
    }),
    conversationRecords,
    conversations,
    messageRecords,
    messages,
    outbox: createOutbox(messageRecords),
    outgoing,
    mediaFetching: createMediaFetching({
      ...platform,
      messages: { change: messages.change, read: messageRecords.read },
      save: media.save,
      accessOf: lower.numberAccess,
    }),
    dueMedia: messageRecords.mediaDue,
    inbox,
    contactNotes,
    conversationHistory: createConversationHistory({ conversations, messages: messageRecords, notes: contactNotes }),
    thread,
    changes,
    assignment,
    availability: createAvailability({ ...platform, assignments }),
    departures: createDepartures({
      ...lists,
      departures: createDeparturesRepository(mongo),
      takeBack: changes.takeBack,
      leaveOut: assignment.leaveOut,
      queue: platform.queues.jobs('departures').add,
      addNotifications: above.addNotifications,
      closings: platform.closings,
      skipTrial: above.skipTrial,
    }),
    actions: createMessageActions({
      ...parts,
      readMentioned: createNoteMentions({
        members,
        conversations: conversationRecords,
        announce: conversations.announce,
        viewerOf: visibility.viewerOf,
        addNotifications: above.addNotifications,
      }),
    }),
    passports: createPassports({ ...above, thread, eventsAbout: async (...of) => lower.rawEvents.about(...of) }),
    search: createSearchService({ ...parts, search }),
    indexMessages: createSearchIndex({ search, thread }),
    replies: createRepliesService({ replies: createRepliesRepository(mongo), cursors }),
    views: createViewsService({ ...platform, views: createViewsRepository(mongo) }),
    ratingRecords,
    ratings: createRatings({
      ...platform,
      ratings: ratingRecords,
      mergedIds: contactRecords.mergedIds,
      conversations: conversationRecords,
      messages: messageRecords,
      outgoing,
    }),
    readReceipts: createReadReceipts(mongo),
    responseTarget: createResponseTarget(mongo),
    openingHours,
    visibility,
    /** Tells whether the caller sees a conversation with this file; one that was sent to nobody yet is its uploader's. */
    seesFile: async (scope: WorkspaceScope, mediaId: string): Promise<boolean> => {
      const ids = await messageRecords.conversationsWithFile(scope, mediaId)
      return ids.length === 0 || (await inbox.visibleOf(scope, ids)).length > 0
    },
  }
}
