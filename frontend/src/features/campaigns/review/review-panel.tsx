import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { Button } from 'antd'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { Meter } from '../../../ui/meter.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import shared from '../new/new-broadcast.module.css'
import type { Step } from '../new/steps.ts'
import { ApprovalPart } from './approval-part.tsx'
import { Problems } from './problems.tsx'
import styles from './review.module.css'
import { ReviewRefused } from './review-refused.tsx'
import type { Review } from './use-review.ts'
import { Warnings } from './warnings.tsx'

/** Shows the progress of the review, whether the draft can be sent as it is, and what prevents it. */
export function ReviewPanel({
  review: state,
  expected,
  isUnsaved,
  onEdit,
}: {
  review: Review
  /** Estimated number of contacts to write down; undefined while it is not known. */
  expected: number | undefined
  isUnsaved: boolean
  onEdit: (step: Step) => void
}) {
  const { review, error, again } = state
  return (
    <section className={shared['panel']} aria-labelledby="review">
      <h3 id="review">Who gets it</h3>
      {isUnsaved ? (
        <p className={shared['lead']}>The review begins as soon as the draft is saved.</p>
      ) : error && !review ? (
        <ReviewRefused error={error} onEdit={onEdit} onRetry={again} />
      ) : !review ? (
        <SkeletonBar height="112px" />
      ) : review.state === 'failed' ? (
        <div className={styles['stack']}>
          <p role="alert">{review.failure ?? 'The review could not be completed.'}</p>
          <div>
            <Button onClick={again}>Try again</Button>
          </div>
        </div>
      ) : (
        <Counted state={state} review={review} expected={expected} onEdit={onEdit} />
      )}
    </section>
  )
}

function Counted({
  state,
  review,
  expected = 0,
  onEdit,
}: {
  state: Review
  review: CampaignReview
  expected: number | undefined
  onEdit: (step: Step) => void
}) {
  const { ready, isStale, changes } = state
  const { audience, recipients } = review.counts
  const total = Math.max(expected, audience)
  return (
    <>
      <p className={shared['figure']}>{formatCount(recipients)}</p>
      <p className={shared['lead']}>
        of {formatCount(audience)} contacts get the message{!ready && ' so far'}
      </p>
      <div className={styles['progress']} data-blocked={ready && ready.problems.length > 0}>
        {ready ? (
          <Verdict
            review={ready}
            open={state.warnings.filter(({ isConfirmed }) => !isConfirmed).length}
            waits={state.approval.isMissing}
          />
        ) : (
          <>
            <Meter
              label="Progress of the review"
              value={audience}
              max={total}
              text={`${formatCount(audience)} of about ${formatCount(total)} contacts`}
            />
            <p role="status" className={styles['small']}>
              {isStale
                ? 'Something has changed since the review, so Parley is running it again.'
                : 'Going through the audience. You can leave and come back.'}
            </p>
          </>
        )}
      </div>
      {changes && <Changes changes={changes} />}
      {ready && <Problems problems={ready.problems} onEdit={onEdit} />}
      {ready && ready.problems.length === 0 && <Warnings state={state} />}
      {ready && ready.problems.length === 0 && <ApprovalPart state={state} review={ready} />}
    </>
  )
}

function Verdict({
  review: { problems, validUntil },
  open,
  waits,
}: {
  review: CampaignReview
  /** Warnings that are not confirmed yet. */
  open: number
  /** Set where the approval that it needs is missing. */
  waits: boolean
}) {
  const { timeZone } = useClock(0)
  if (problems.length > 0)
    return (
      <p role="status" className={styles['verdict']} data-tone="danger">
        <CloseCircleOutlined aria-hidden /> Cannot be sent like this
      </p>
    )
  return (
    <>
      {open > 0 ? (
        <p role="status" className={styles['verdict']} data-tone="warning">
          <WarningOutlined aria-hidden /> {counted(open, 'thing')} to confirm first
        </p>
      ) : waits ? (
        <p role="status" className={styles['verdict']} data-tone="warning">
          <WarningOutlined aria-hidden /> Needs an approval
        </p>
      ) : (
        <p role="status" className={styles['verdict']} data-tone="good">
          <CheckCircleOutlined aria-hidden /> Ready to send
        </p>
      )}
      {validUntil && (
        <p className={styles['small']}>
          These numbers are valid until {clockTime(validUntil, timeZone)}. Parley then counts them again.
        </p>
      )}
    </>
  )
}

const clockTime = (at: string, timeZone: string): string =>
  dateTimeFormat(undefined, { timeZone, hour: 'numeric', minute: '2-digit' }).format(new Date(at))

function Changes({ changes }: { changes: NonNullable<Review['changes']> }) {
  return (
    <div role="status" className={styles['changes']}>
      <p className={shared['strong']}>The review has been updated</p>
      {changes.length === 0 ? (
        <p>Its numbers are the same as before.</p>
      ) : (
        <dl className={shared['lines']}>
          {changes.map(({ label, before, after }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {before} <span aria-hidden>→</span> <span className="visually-hidden">now </span>
                {after}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
