import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { counted, formatCount } from '../../../lib/format.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { type Exclusion, everyExclusion } from '../labels.ts'
import shared from '../new/new-broadcast.module.css'
import { Charge } from './charge.tsx'
import styles from './review.module.css'

/** The figures of a review, as far as it has come. Each line has its place from the beginning. */
export function ReviewNumbers({
  review,
  leavesOut,
}: {
  review: CampaignReview | undefined
  /** Set where it leaves contacts out by tag or segment. */
  leavesOut: boolean
}) {
  const counts = review?.counts
  const isShown = ({ outcome, count }: Exclusion) =>
    count > 0 || (outcome === 'excluded' ? leavesOut : outcome !== 'country_restricted')
  const excluded = everyExclusion(counts?.excluded ?? nobodyExcluded).filter(isShown)
  return (
    <section className={shared['part']} aria-label="Numbers">
      <h3>Numbers</h3>
      <dl className={shared['lines']} aria-busy={review?.state === 'counting'}>
        <div>
          <dt>Audience</dt>
          <dd>{counts ? formatCount(counts.audience) : '–'}</dd>
        </div>
        {excluded.map(({ reason, count }) => (
          <div key={reason} {...(count === 0 && { 'data-none': true })}>
            <dt>Left out: {reason}</dt>
            <dd>{!counts ? '–' : count === 0 ? '0' : `−${formatCount(count)}`}</dd>
          </div>
        ))}
        <div data-total>
          <dt>Get the message</dt>
          <dd>{counts ? formatCount(counts.recipients) : '–'}</dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>{counts ? counted(counts.recipients, 'credit') : '–'}</dd>
        </div>
      </dl>
      <div className={styles['charge']}>
        {review?.cost ? (
          review.counts.recipients > 0 && <Charge cost={review.cost} />
        ) : review?.state === 'failed' ? null : (
          <SkeletonBar height="22px" />
        )}
      </div>
    </section>
  )
}

/** Number of recipients for whom each variable is filled with its fallback. */
export function Fallbacks({
  review,
  variables,
}: {
  review: CampaignReview | undefined
  variables: DraftFields['variables']
}) {
  const lines = Object.entries(variables).flatMap(([key, source]) =>
    source.kind === 'field' ? [{ key, fallback: source.fallback }] : [],
  )
  if (lines.length === 0) return null
  return (
    <section className={shared['part']} aria-label="Fallbacks">
      <h3>Get a fallback value</h3>
      <dl className={shared['lines']}>
        {lines.map(({ key, fallback }) => {
          const count = review?.fallbacks.find((fallback) => fallback.key === key)?.count ?? 0
          return (
            <div key={key} {...(count === 0 && { 'data-none': true })}>
              <dt dir="auto">
                {`{{${key}}}`} is “{fallback}”
              </dt>
              <dd>{review ? formatCount(count) : '–'}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
