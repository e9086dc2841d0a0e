/** Maximum automated messages in one conversation. */
const sendLimits = [
  { count: 10, withinMs: 60_000 },
  { count: 60, withinMs: 3_600_000 },
] as const

/** Maximum automated messages within a minute, and the seconds of a pause after which they are counted anew. */
export const burst = { count: sendLimits[0].count, seconds: sendLimits[0].withinMs / 1000 } as const

/**
 * Returns whether more automated messages would pass a limit: then none of them is sent.
 * @param sentAt times of earlier ones, in milliseconds since 1970.
 * @param sending number of messages to send.
 */
export const wouldLoop = (sentAt: readonly number[], sending: number, now: number): boolean =>
  sending > 0 &&
  sendLimits.some(({ count, withinMs }) => sentAt.filter((at) => at > now - withinMs).length + sending > count)

/** Times that are kept: as many as the limit of an hour counts. */
const maxRemembered = 64

/** Adds messages to the times of earlier ones. */
export const withSent = (sentAt: readonly number[], sending: number, now: number): readonly number[] =>
  [...sentAt, ...Array.from({ length: sending }, () => now)].slice(-maxRemembered)

/** Sentence on why a run was stopped that would have passed one. */
export const loopReason = 'Too much was sent at once: it was stopped, because it may be talking to another machine.'
