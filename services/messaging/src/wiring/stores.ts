import { createUsage } from '../features/apply/usage.ts'
import { createRecipientsRepository } from '../features/campaigns/recipients.repository.ts'
import { createConsentRecords } from '../features/consent/create-consent.ts'
import { createContactsRepository } from '../features/contacts/contacts.repository.ts'
import { createConversationsRepository } from '../features/conversations/conversations.repository.ts'
import { createRawEventsRepository } from '../features/ingest/raw-events.repository.ts'
import { createMessagesRepository } from '../features/messages/messages.repository.ts'
import { createOutbox } from '../features/messages/outbox.ts'
import type { Platform } from './platform.ts'

export type Stores = ReturnType<typeof createStores>

/** Wires what is stored and read by more than one domain; every other repository is made where its feature is wired. */
export function createStores({ mongo, cursors, box, transaction }: Platform) {
  const messages = createMessagesRepository(mongo)
  return {
    contacts: createContactsRepository(mongo, cursors),
    conversations: createConversationsRepository(mongo),
    messages,
    outbox: createOutbox(messages),
    recipients: createRecipientsRepository(mongo),
    usage: createUsage(mongo),
    rawEvents: createRawEventsRepository(mongo),
    consent: createConsentRecords({ mongo, cursors, box, transaction }),
  }
}
