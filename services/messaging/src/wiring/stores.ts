import { createUsage } from '../features/apply/usage.ts'
import { createRecipientsRepository } from '../features/campaigns/recipients.repository.ts'
import { createRescheduleAll } from '../features/campaigns/reschedule.ts'
import { createConsentRecords } from '../features/consent/create-consent.ts'
import { createContactsRepository } from '../features/contacts/contacts.repository.ts'
import { createConversationsRepository } from '../features/conversations/conversations.repository.ts'
import { createRawEventsRepository } from '../features/ingest/raw-events.repository.ts'
import { createMessagesRepository } from '../features/messages/messages.repository.ts'
import { createOutbox } from '../features/messages/outbox.ts'
import { createRateCards } from '../features/rate-cards/rate-cards.service.ts'
import { createSampleDataRepository } from '../features/sample-data/sample-data.repository.ts'
import { createSendingHours } from '../features/sending-hours/sending-hours.service.ts'
import type { Platform } from './platform.ts'

export type Stores = ReturnType<typeof createStores>

/** Wires what is stored and read by more than one domain; every other repository is made where its feature is wired. */
export function createStores({ mongo, cursors, box, transaction }: Platform) {
  const messages = createMessagesRepository(mongo)
  const sendingHours = createSendingHours(mongo, { transaction, moveSchedules: createRescheduleAll(mongo, cursors) })
  return {
    contacts: createContactsRepository(mongo, cursors),
    conversations: createConversationsRepository(mongo),
    messages,
    outbox: createOutbox(messages),
    recipients: createRecipientsRepository(mongo),
    usage: createUsage(mongo),
    sendingHours,
    rateCards: createRateCards(mongo, { readHours: sendingHours.read, transaction }),
    sampleStates: createSampleDataRepository(mongo),
    rawEvents: createRawEventsRepository(mongo),
    consent: createConsentRecords({ mongo, cursors, box, transaction }),
  }
}
