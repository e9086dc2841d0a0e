import { type KeptMonths, retentionWaitDays } from '@parley/contracts/inbox/message-retention'
import type { RetentionRecord } from './message-retention.model.ts'

const dayMs = 86_400_000
type Setting = Pick<RetentionRecord, 'months' | 'next'>

/** Returns for how many months messages are kept at a time. */
export const monthsAt = ({ months, next }: Setting, at: Date): KeptMonths =>
  next && next.from <= at ? next.months : months

/** Returns what a choice makes of a setting: what keeps as much or more holds at once, what keeps less after a while. */
export function chosen(setting: Setting, months: KeptMonths, at: Date): Setting {
  const held = monthsAt(setting, at)
  if (months === null || (held !== null && months >= held)) return { months }
  return { months: held, next: { months, from: new Date(at.getTime() + retentionWaitDays * dayMs) } }
}
