import { type CampaignRecord, watchedRows } from '../campaigns.model.ts'

/** Times after the end at which rows are counted again: late statuses arrive for a week. */
const looksMs = [1, 24, 7 * 24].map((hours) => hours * 3_600_000)

/** Milliseconds until those whom WhatsApp held back get it again: a day after failures reported within an hour of the end. */
export const heldBackAfterMs = 25 * 3_600_000

type Ended = Pick<CampaignRecord, 'completedAt' | 'stoppedAt' | 'retryHeldBack'>

/** Returns the time of the next recount of an ended campaign. @returns undefined once there is none left. */
export function nextRecountAt({ completedAt, stoppedAt, retryHeldBack }: Ended, at: Date) {
  const endedAt = (completedAt ?? stoppedAt ?? at).getTime()
  const delaysMs = retryHeldBack ? [...looksMs, heldBackAfterMs].sort((left, right) => left - right) : looksMs
  const next = delaysMs.find((ms) => endedAt + ms > at.getTime())
  return next === undefined ? undefined : new Date(endedAt + next)
}

/** Returns the update that sets when an ended campaign is recounted; after the last recount its rows begin to age. */
export function afterRecount(ended: Ended, at: Date): { $set: Pick<CampaignRecord, 'watch' | 'nextAt'> } {
  const nextAt = nextRecountAt(ended, at)
  if (nextAt) return { $set: { nextAt } }
  return { $set: { watch: watchedRows, nextAt: ended.completedAt ?? ended.stoppedAt ?? at } }
}

/** Returns whether none of its messages can come back to the outbox. */
export const isOver = ({ status, stoppedAt, nextAt }: CampaignRecord): boolean =>
  status === 'completed' ||
  (status === 'cancelled' &&
    stoppedAt !== undefined &&
    nextAt !== undefined &&
    nextAt.getTime() >= stoppedAt.getTime() + (looksMs[0] ?? 0))
