import { createFileHolders } from './file-holders.ts'
import { createCampaignsRepository } from './modules/campaigns/campaigns.repository.ts'
import { createCampaignsOfTemplate } from './modules/campaigns/campaigns-of-template.ts'
import { createDraftsRepository } from './modules/campaigns/drafts/drafts.repository.ts'
import { createRecipientsRepository } from './modules/campaigns/recipients/recipients.repository.ts'
import { createRescheduleAll } from './modules/campaigns/reschedule.ts'
import { createCampaignNotes } from './modules/campaigns/results/timeline.repository.ts'
import { createQuotaHolders } from './modules/campaigns/run/quota-holders.ts'
import { createNumbersRepository } from './modules/channel/numbers/numbers.repository.ts'
import { createContactsRepository } from './modules/contacts/contacts.repository.ts'
import { shownContacts } from './modules/contacts/contacts.service.ts'
import { createConversationsRepository } from './modules/inbox/conversations/conversations.repository.ts'
import { createMessagesRepository } from './modules/inbox/messages/messages.repository.ts'
import { createNotificationsRepository } from './modules/notifications/notifications.repository.ts'
import { createAddNotifications } from './modules/notifications/raise-notifications.ts'
import { createRecipientFilesRepository } from './modules/outbound/recipient-files/recipient-files.repository.ts'
import { createReadHours } from './modules/outbound/sending-hours/sending-hours.service.ts'
import { createMentionNames } from './modules/privacy/erasure/mentions.ts'
import { createSampleDataRepository } from './modules/sample/sample-data.repository.ts'
import type { Platform } from './platform/platform.ts'

export type Records = ReturnType<typeof createRecords>
/** Ground that every module builds on; each takes it together with the services of the modules below. */
export type Base = Platform & Records

/** Creates what needs nothing but the database: modules may use it of each other, those above them as well. */
export function createRecords({ mongo, cursors }: Platform) {
  const contacts = createContactsRepository(mongo, cursors)
  const campaigns = createCampaignsRepository(mongo, cursors)
  const drafts = createDraftsRepository(mongo)
  const recipients = createRecipientsRepository(mongo)
  const campaignNotes = createCampaignNotes(mongo)
  const notificationRecords = createNotificationsRepository(mongo, cursors)
  return {
    addNotifications: createAddNotifications(notificationRecords),
    campaignNotes,
    campaignRecords: campaigns,
    campaignsOfTemplate: createCampaignsOfTemplate({ campaigns, drafts }),
    contactRecords: { ...contacts, shown: shownContacts(contacts) },
    conversationRecords: createConversationsRepository(mongo),
    drafts,
    fileHolders: createFileHolders(mongo),
    holders: createQuotaHolders({ campaigns, recipients }),
    mentionNames: createMentionNames(mongo),
    messageRecords: createMessagesRepository(mongo),
    moveSchedules: createRescheduleAll({ campaigns, note: campaignNotes.note }),
    notificationRecords,
    numberRecords: createNumbersRepository(mongo),
    readHours: createReadHours(mongo),
    recipientFiles: createRecipientFilesRepository(mongo),
    recipients,
    sampleStates: createSampleDataRepository(mongo),
  }
}
