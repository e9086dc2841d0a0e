import { createRecipientsRepository } from '../modules/campaigns/recipients/recipients.repository.ts'
import { createRescheduleAll } from '../modules/campaigns/reschedule.ts'
import { createRawEventsRepository } from '../modules/channel/ingest/raw-events.repository.ts'
import { createConsentRecords } from '../modules/contacts/consent/create-consent.ts'
import { createContactsRepository } from '../modules/contacts/contacts.repository.ts'
import { createConversationsRepository } from '../modules/inbox/conversations/conversations.repository.ts'
import { createMessagesRepository } from '../modules/inbox/messages/messages.repository.ts'
import { createOutbox } from '../modules/inbox/messages/outbox.ts'
import { createSendingHours } from '../modules/outbound/sending-hours/sending-hours.service.ts'
import { createSampleDataRepository } from '../modules/sample/sample-data.repository.ts'
import { createUsage } from '../modules/usage/ledger/usage.ts'
import { createRateCards } from '../modules/usage/rate-cards/rate-cards.service.ts'
import { createAutomationStates } from '../platform/automation-states.ts'
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
    automationStates: createAutomationStates(mongo),
    rateCards: createRateCards(mongo, { readHours: sendingHours.read, transaction }),
    sampleStates: createSampleDataRepository(mongo),
    rawEvents: createRawEventsRepository(mongo),
    consent: createConsentRecords({ mongo, cursors, box, transaction }),
  }
}
