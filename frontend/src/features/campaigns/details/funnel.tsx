import type { CampaignCounts } from '@parley/contracts/campaigns'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Meter } from '../../../ui/meter.tsx'
import { exclusionsOf } from '../words.ts'
import styles from './details.module.css'

/** From the audience to the answers: how far the messages came, and who was left out. */
export function Funnel({ counts }: { counts: CampaignCounts }) {
  const { audience, excluded, queued, sent, delivered, read, clicked, replied, failed, uncertain } = counts
  const leftOut = exclusionsOf(excluded)
  const reachable = audience - leftOut.reduce((sum, { count }) => sum + count, 0)
  const steps = [
    { label: 'Sent', count: sent, of: reachable, what: 'of reachable contacts' },
    { label: 'Delivered', count: delivered, of: sent, what: 'of sent' },
    { label: 'Read', count: read, of: delivered, what: 'of delivered' },
    // What nobody has counted is not shown as none.
    ...(clicked === null ? [] : [{ label: 'Clicked', count: clicked, of: delivered, what: 'of delivered' }]),
    ...(replied === null ? [] : [{ label: 'Replied', count: replied, of: delivered, what: 'of delivered' }]),
    { label: 'Failed', count: failed, of: sent + failed, what: 'of attempted' },
  ]
  return (
    <section aria-labelledby="campaign-progress" className={styles['part']}>
      <h3 id="campaign-progress">Progress</h3>
      <p className={styles['summary']}>
        {formatCount(sent)} of {formatCount(audience)} sent{queued > 0 && `, ${formatCount(queued)} waiting`}
      </p>
      <ul className={styles['funnel']}>
        {steps.map(({ label, count, of, what }) => {
          const share = of === 0 ? '' : `${formatPercent((count / of) * 100)} ${what}`
          return (
            <li key={label}>
              <span className={styles['step']}>
                {label} <b>{formatCount(count)}</b>
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
      {uncertain > 0 && (
        <p className={styles['note']}>
          Not confirmed: {formatCount(uncertain)}. WhatsApp has not said whether they left, so they are not sent again.
        </p>
      )}
      {leftOut.length > 0 && (
        <p className={styles['note']}>
          Left out: {leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(', ')}.
        </p>
      )}
    </section>
  )
}
