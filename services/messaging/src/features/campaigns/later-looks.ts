import type { CampaignRecord } from './campaigns.model.ts'

/** Late statuses come for a week. */
const looksMs = [1, 24, 7 * 24].map((hours) => hours * 3_600_000)

/** When what has ended is counted again. @returns undefined once that is over. */
export function nextLook({ completedAt, stoppedAt }: Pick<CampaignRecord, 'completedAt' | 'stoppedAt'>, at: Date) {
  const endedAt = (completedAt ?? stoppedAt ?? at).getTime()
  const next = looksMs.find((ms) => endedAt + ms > at.getTime())
  return next === undefined ? undefined : new Date(endedAt + next)
}

/** Whether nothing of it can come back to the outbox. */
export const isOver = ({ status, stoppedAt, nextAt }: CampaignRecord): boolean =>
  status === 'completed' ||
  (status === 'cancelled' &&
    stoppedAt !== undefined &&
    nextAt !== undefined &&
    nextAt.getTime() >= stoppedAt.getTime() + (looksMs[0] ?? 0))
