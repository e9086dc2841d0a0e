const hourMs = 3600_000
const windowMs = 24 * hourMs
const freeEntryMs = 72 * hourMs

/** Until when free text may be sent after a message of the customer. */
export const windowAfter = (at: Date): Date => new Date(at.getTime() + windowMs)

/**
 * What the first answer to a customer who came by an ad opens: 72 hours, if the business answers within a day of the click.
 * @returns until when, and after which moment the customer must have come.
 */
export const freeEntryAfter = (answeredAt: Date): { at: Date; referredAfter: Date } => ({
  at: new Date(answeredAt.getTime() + freeEntryMs),
  referredAfter: new Date(answeredAt.getTime() - windowMs),
})

/** Windows that were open before a moment end before this: customers' messages have whole seconds. */
export const windowBefore = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000 + windowMs)

/** Whether free text may be sent now. */
export const isWindowOpen = (windowExpiresAt: Date | null | undefined, now: Date): boolean =>
  windowExpiresAt != null && windowExpiresAt > now
