import { shownContacts } from '../modules/contacts/contacts.service.ts'
import { createConversationsService } from '../modules/inbox/conversations/conversations.service.ts'
import { createTrackDelivery } from '../modules/inbox/messages/delivery-state.ts'
import { createMediaFetching } from '../modules/inbox/messages/fetch-media.ts'
import { createMessagesService } from '../modules/inbox/messages/messages.service.ts'
import { createOutgoing } from '../modules/inbox/messages/outgoing.service.ts'
import { createMediaService } from '../modules/media/media.service.ts'
import { createStorageQuota } from '../modules/media/storage-quota.ts'
import { createChatExports } from '../modules/privacy/chat-exports/create-chat-exports.ts'
import type { CampaignCounts } from './campaign-counts.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

export type Messages = ReturnType<typeof wireMessages>

/** Wires conversations and their messages: what is written, its media and exports. */
export function wireMessages(
  { mongo, jobs, transaction, wakeSender, wakeEvents, queueJobs, members }: Platform,
  stores: Stores,
  {
    numbers: { numbers, numberAccess },
    counts,
    storageLimitBytes,
  }: { readonly numbers: Numbers; readonly counts: CampaignCounts; readonly storageLimitBytes: number },
) {
  const conversations = createConversationsService({
    conversations: stores.conversations,
    contactsOf: shownContacts(stores.contacts),
  })
  const messages = createMessagesService({
    messages: stores.messages,
    conversations,
    noteInCampaigns: counts.noteInCampaigns,
    noteMarketing: stores.contacts.noteMarketing,
    noteReached: createTrackDelivery(stores.contacts),
  })
  const media = createMediaService(mongo, createStorageQuota(mongo, storageLimitBytes))
  const outgoing = createOutgoing({
    messages: stores.messages,
    sent: messages,
    conversations,
    transaction,
    wake: wakeSender,
    describeMedia: media.describe,
    checkTemplate: counts.checkTemplate,
    isBlocked: async (scope, contactId) => (await stores.contacts.read(scope, contactId))?.blocked === true,
  })
  return {
    conversations,
    messages,
    outgoing,
    ...createChatExports({
      mongo,
      jobs,
      conversations,
      wakeEvents,
      transaction,
      contacts: stores.contacts,
      readNumber: numbers.read,
      findMembers: members.find,
      queue: queueJobs,
    }),
    media,
    mediaFetching: createMediaFetching({
      messages: { change: messages.change, read: stores.messages.read },
      save: media.save,
      accessOf: numberAccess,
      transaction,
    }),
    dueMedia: stores.messages.mediaDue,
  }
}
