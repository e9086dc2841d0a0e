import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { startTime } from '../labels.ts'
import styles from './details.module.css'

/** Times of a campaign: of what happened, or is planned. */
export function CampaignTimes({
  campaign: { createdAt, scheduledFor, startedAt, completedAt },
  now,
  timeZone,
}: {
  campaign: Campaign
  now: Date
  timeZone: string
}) {
  const past = [
    { label: 'Created', at: createdAt },
    { label: 'Started', at: startedAt },
    { label: 'Completed', at: completedAt },
  ]
  return (
    <section aria-labelledby="campaign-times" className={styles['part']}>
      <h3 id="campaign-times">Times</h3>
      <dl className={styles['times']}>
        {scheduledFor && (
          <div>
            <dt>Scheduled for</dt>
            <dd>{startTime(scheduledFor, timeZone)}</dd>
          </div>
        )}
        {past.map(
          ({ label, at }) =>
            at && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Timestamp at={at} now={now} timeZone={timeZone} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}
