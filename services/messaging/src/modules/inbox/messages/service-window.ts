const hourMs = 3600_000
const windowMs = 24 * hourMs
const freeEntryMs = 72 * hourMs

/** Returns when the free-text window after a message of the customer ends. */
export const windowAfter = (at: Date): Date => new Date(at.getTime() + windowMs)

/**
 * Computes the window opened by the first answer to a customer who came by an ad: 72 hours, if the business answers within a day
 * of the click.
 * @returns its end, and the moment after which the customer must have come.
 */
export const freeEntryAfter = (answeredAt: Date): { at: Date; referredAfter: Date } => ({
  at: new Date(answeredAt.getTime() + freeEntryMs),
  referredAfter: new Date(answeredAt.getTime() - windowMs),
})

/** Windows that were open before a moment end before this: customers' messages have whole seconds. */
export const windowBefore = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000 + windowMs)

/** Returns whether free text may be sent now. */
export const isWindowOpen = (windowExpiresAt: Date | null | undefined, now: Date): boolean =>
  windowExpiresAt != null && windowExpiresAt > now
