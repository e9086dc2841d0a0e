import type { Usage } from '@parley/contracts/usage/usage'
import { formatConstant } from '../../lib/format.ts'
import { fullTime } from '../../lib/relative-time.ts'
import styles from './credit-usage.module.css'
import { creditsUsedPercent, resetText } from './credits.ts'
import { creditBarOf } from './live-credits.ts'
import { Panel } from './panel.tsx'

/** Shows how much of the month's credits is used, and when they are renewed. */
export function CreditUsage({ usage, now, timeZone }: { usage: Usage; now: Date; timeZone: string }) {
  const bar = creditBarOf(usage)
  if (!bar)
    return (
      <Panel title="Credit Usage">
        <p>{formatConstant(usage.credits.used)} credits used this month</p>
      </Panel>
    )
  const percent = creditsUsedPercent(bar)
  const text = `${formatConstant(bar.used)} of ${formatConstant(bar.limit)} credits used this month`
  return (
    <Panel title="Credit Usage">
      <div className={styles['words']}>
        <p>{text}</p>
        <p className={styles['reset']} title={fullTime(new Date(bar.resetsAt), timeZone)}>
          {usage.ended ? 'the trial is over' : resetText(bar, now, usage.renews ? 'resets' : 'ends')}
        </p>
      </div>
      {/* Not antd's Progress: the first screen after sign-in loads without it. */}
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label="Credit Usage"
        aria-valuemin={0}
        aria-valuemax={bar.limit}
        aria-valuenow={Math.min(bar.used, bar.limit)}
        aria-valuetext={text}
      >
        <span
          data-tone={percent >= 90 ? 'danger' : percent >= 75 ? 'warning' : 'normal'}
          style={{ width: `${percent}%` }}
        />
      </div>
    </Panel>
  )
}
