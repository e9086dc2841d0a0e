import type { CampaignRecord } from '../campaigns.model.ts'
import type { Tallies } from '../recipients.model.ts'
import { countsOf } from '../tallies.ts'

/** Whom nobody knows to have got it is not waited for any longer. */
export const uncertainMs = 7 * 86_400_000

/** When a campaign was completed or cancelled. */
export const endedAtOf = ({
  status,
  completedAt,
  stoppedAt,
}: Pick<CampaignRecord, 'status' | 'completedAt' | 'stoppedAt'>) => (status === 'cancelled' ? stoppedAt : completedAt)

/** What a campaign takes of the period in which it was launched, in credits. */
export interface QuotaHold {
  readonly held: number
  readonly used: number
}

type Held = Pick<CampaignRecord, 'hold' | 'frozen' | 'status' | 'completedAt' | 'stoppedAt'>

/**
 * Whether a campaign holds as much as it has people who wait for it: those whom its audience had when it was written down, which
 * may be others than were counted before. Campaigns of older versions hold nothing.
 */
export const holdsRows = ({ hold, frozen }: Pick<Held, 'hold' | 'frozen'>): boolean =>
  !hold || !frozen.done || frozen.pending === undefined || hold.n === frozen.pending

/**
 * What a campaign takes by the counts of its rows: held for those who wait or are uncertain, used by those who were sent to.
 * Skipped, failed and, once it is cancelled, not tried are neither. Undefined as long as not all of its rows are counted.
 */
export function quotaHoldOf(campaign: Held, tallies: Tallies, now: Date): QuotaHold | undefined {
  const { hold, frozen, status } = campaign
  const isCancelled = status === 'cancelled'
  const { audience: counted, sent, uncertain } = countsOf(tallies)
  const isWritten = frozen.done && holdsRows(campaign)
  if (!hold || counted !== frozen.rows || !(isWritten || isCancelled)) return undefined
  const endedAt = endedAtOf(campaign)
  const isOver = endedAt !== undefined && now.getTime() - endedAt.getTime() >= uncertainMs
  const waiting = (tallies['queued'] ?? 0) + (isCancelled ? 0 : (tallies['pending'] ?? 0))
  return { held: waiting + (isOver ? 0 : uncertain), used: Math.max(0, sent - hold.before) }
}
