import type { Outcome } from '@parley/contracts/campaigns/campaign-recipients'
import type { Campaign, CampaignCounts } from '@parley/contracts/campaigns/campaigns'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Meter } from '../../../ui/meter.tsx'
import { exclusionsOf, type Shown } from '../labels.ts'
import styles from './details.module.css'

interface Step {
  readonly label: string
  readonly outcome: Outcome
  readonly count: number
  readonly of: number
  readonly what: string
}

/** Funnel from the audience to the answers: how far the messages came, and who was left out. */
export function Funnel({
  counts,
  clicks,
  again,
  onShow,
}: {
  counts: CampaignCounts
  clicks: Campaign['clicks']
  /** Actions for messages that are not confirmed. */
  again: ReactNode
  /** Opens the rows behind a figure; absent until there are rows. */
  onShow: ((shown: Shown) => void) | undefined
}) {
  const { audience, excluded, queued, sent, delivered, read, replied, failed, uncertain } = counts
  // Counted clicks default to 0.
  const isCounted = clicks === 'counted' || clicks === 'partly'
  const clicked = counts.clicked ?? (isCounted && sent > 0 ? 0 : null)
  const leftOut = exclusionsOf(excluded)
  const reachable = audience - leftOut.reduce((sum, { count }) => sum + count, 0)
  const steps: Step[] = [
    { label: 'Sent', outcome: 'sent', count: sent, of: reachable, what: 'of reachable contacts' },
    { label: 'Delivered', outcome: 'delivered', count: delivered, of: sent, what: 'of sent' },
    { label: 'Read', outcome: 'read', count: read, of: delivered, what: 'of delivered' },
    // An absent count is not shown as zero.
    ...(clicked === null
      ? []
      : [{ label: 'Clicked', outcome: 'clicked' as const, count: clicked, of: delivered, what: 'of delivered' }]),
    ...(replied === null
      ? []
      : [{ label: 'Replied', outcome: 'replied' as const, count: replied, of: delivered, what: 'of delivered' }]),
    { label: 'Failed', outcome: 'failed', count: failed, of: sent + failed, what: 'of attempted' },
  ]
  return (
    <section aria-labelledby="campaign-progress" className={styles['part']}>
      <h3 id="campaign-progress">Progress</h3>
      <p className={styles['summary']}>
        {formatCount(sent)} of {formatCount(audience)} sent{queued > 0 && `, ${formatCount(queued)} waiting`}
      </p>
      {onShow && queued > 0 && (
        <div className={styles['shows']}>
          <Button size="small" onClick={() => onShow('queued')}>
            {formatCount(queued)} waiting
          </Button>
        </div>
      )}
      <ul className={styles['funnel']}>
        {steps.map(({ label, outcome, count, of, what }) => {
          const share = of === 0 ? '' : `${formatPercent((count / of) * 100)} ${what}`
          return (
            <li key={label}>
              <span className={styles['step']}>
                <Figure onOpen={onShow && (() => onShow(outcome))}>
                  {label} <b>{formatCount(count)}</b>
                </Figure>
                <span className={styles['share']}>{share}</span>
              </span>
              <Meter
                label={label}
                value={count}
                max={reachable}
                text={`${formatCount(count)}${share && `, ${share}`}`}
                tone={label === 'Failed' ? 'danger' : 'normal'}
              />
            </li>
          )
        })}
      </ul>
      {clicked === null && clicks === 'not_tracked' && sent > 0 && (
        <p className={styles['note']}>
          Clicked: not tracked. Its buttons open websites without “Count visits”, which is chosen in the template.
        </p>
      )}
      {replied !== null && (
        <p className={styles['note']}>
          Replied: wrote within 72 hours, with no later campaign in between, or quoted the message within 7 days. Asking
          to stop is no reply.
          {clicked !== null && ' Clicked: pressed a quick reply, or opened a link whose visits are counted.'}
          {clicks === 'partly' && ' Visits of its other links are not counted.'}
        </p>
      )}
      {uncertain > 0 && (
        <div className={styles['note']}>
          <p>
            Not confirmed: {formatCount(uncertain)}. WhatsApp has not confirmed whether they were sent, so Parley does
            not send them again.
          </p>
          <div className={styles['shows']}>
            {onShow && (
              <Button size="small" onClick={() => onShow('uncertain')}>
                Show them
              </Button>
            )}
            {again}
          </div>
        </div>
      )}
      {leftOut.length > 0 && (
        <div className={styles['note']}>
          Left out:
          <ul className={styles['leftOut']}>
            {leftOut.map(({ reason, count, outcome }) => (
              <li key={outcome}>
                <Figure onOpen={onShow && (() => onShow(outcome))}>
                  {formatCount(count)} {reason}
                </Figure>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** A figure that opens the rows behind it. */
function Figure({ onOpen, children }: { onOpen: (() => void) | undefined; children: ReactNode }) {
  if (!onOpen) return <span>{children}</span>
  return (
    <button type="button" className={styles['figure']} onClick={onOpen}>
      {children}
    </button>
  )
}
