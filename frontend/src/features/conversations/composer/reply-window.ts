const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Remaining time from which the countdown warns. */
const closingMs = 2 * hourMs

export interface ReplyWindow {
  readonly state: 'open' | 'closing' | 'closed'
  /** `21 h 14 min`; empty once it is closed. */
  readonly left: string
}

/** Returns how long free text may still be sent (contract, `windowExpiresAt`). */
export function replyWindow(expiresAt: string | undefined, now: Date): ReplyWindow {
  const leftMs = expiresAt ? Date.parse(expiresAt) - now.getTime() : 0
  if (leftMs <= 0) return { state: 'closed', left: '' }
  const minutes = Math.max(1, Math.floor(leftMs / minuteMs))
  const hours = Math.floor(minutes / 60)
  const left = [hours > 0 && `${hours} h`, (minutes % 60 > 0 || hours === 0) && `${minutes % 60} min`]
  return { state: leftMs < closingMs ? 'closing' : 'open', left: left.filter(Boolean).join(' ') }
}
