const hourMs = 3600_000
const windowMs = 24 * hourMs
const freeEntryMs = 72 * hourMs

/** Types of inbound messages that do not open the customer service window. */
const silent: ReadonlySet<string> = new Set(['reaction', 'system', 'unsupported', 'edit', 'revoke'])

/** Until when free text may be sent after a message of the customer; `undefined` where it opens nothing. */
export const windowAfter = (type: string, at: Date): Date | undefined =>
  silent.has(type) ? undefined : new Date(at.getTime() + windowMs)

/**
 * Until when messages to a customer who came by an ad are free: 72 hours, if the business answers within a day of the click.
 * @param referredAt when the customer's message from the ad was sent.
 * @param answeredAt when the business first answered it.
 */
export const freeEntryAfter = (referredAt: Date, answeredAt: Date): Date | undefined =>
  answeredAt.getTime() - referredAt.getTime() < windowMs ? new Date(answeredAt.getTime() + freeEntryMs) : undefined

/** Whether free text may be sent now. */
export const isWindowOpen = (windowExpiresAt: Date | null | undefined, now: Date): boolean =>
  windowExpiresAt != null && windowExpiresAt > now
