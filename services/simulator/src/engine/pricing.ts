import type { Chat } from '../records.ts'

const windowMs = 24 * 3600_000
/** Time from which messages inside the window are billed too, free entry points excepted. */
const serviceBilledFrom = Date.UTC(2026, 9, 1)

/**
 * Returns whether the customer has written within the last 24 hours, or came by an ad and was answered within a day, 72 hours ago
 * at most.
 */
export const isWindowOpen = (chat: Pick<Chat, 'lastInboundAt' | 'freeEntryUntil'>, now: number): boolean =>
  chat.lastInboundAt + windowMs > now || chat.freeEntryUntil > now

/** Returns the `pricing` of a message that is sent now. @param category of the template in lower case, or `service`. */
export function pricingOf(chat: Chat, category: string, now: number) {
  if (chat.freeEntryUntil > now) return { billable: false, type: 'free_entry_point', category: 'referral_conversion' }
  const mayBeFree = category === 'service' || (category === 'utility' && isWindowOpen(chat, now))
  if (mayBeFree && now < serviceBilledFrom) return { billable: false, type: 'free_customer_service', category }
  return { billable: true, type: 'regular', category }
}
