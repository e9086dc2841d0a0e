import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { QueryClient } from '@tanstack/react-query'
import { choiceKeys, contactJobKeys, contactKeys, conversationKeys, importKeys } from '../../lib/query-keys.ts'
import { contactRecords } from './api.ts'

/** Applies the server's events of contacts, segments, imports and jobs. */
export function receive(client: QueryClient, event: RecordedEvent): void {
  // Lists follow `contacts.changed`, which comes once for all.
  if (event.type === 'contact.bulk_changed') return
  if (event.type === 'import.changed') {
    void client.invalidateQueries({ queryKey: importKeys.all })
    return
  }
  if (event.type === 'contact_job.changed') {
    void client.invalidateQueries({ queryKey: contactJobKeys.all })
    return
  }
  // Threads have come together, or gone apart.
  if (event.type === 'contact.merged') void client.invalidateQueries({ queryKey: conversationKeys.all })
  // Bulk changes are not announced for each conversation.
  if (event.type === 'contacts.changed') void client.invalidateQueries({ queryKey: conversationKeys.lists })
  if (event.type === 'contact.changed') contactRecords.receive(client, event.data.contact)
  if (event.type === 'contact.removed')
    contactRecords.receiveRemoval(client, { id: event.data.contactId, version: event.data.version })
  // Only the server can determine a page's contacts, and the counts beside it.
  for (const queryKey of [contactKeys.all, choiceKeys.all]) void client.invalidateQueries({ queryKey })
}
