import type { CreditUsage as Usage } from '@parley/contracts/dashboard'
import { fullTime } from '../../lib/relative-time.ts'
import styles from './credit-usage.module.css'
import { creditsUsedPercent, resetText } from './credits.ts'
import { Panel } from './panel.tsx'

const number = new Intl.NumberFormat('en-US')

/** How much of the month's credits is used, and when they begin anew (specification section 2, Dashboard). */
export function CreditUsage({ usage, now, timeZone }: { usage: Usage; now: Date; timeZone: string }) {
  const percent = creditsUsedPercent(usage)
  const text = `${number.format(usage.used)} of ${number.format(usage.limit)} credits used this month`
  return (
    <Panel title="Credit Usage">
      <div className={styles['words']}>
        <p>{text}</p>
        <p className={styles['reset']} title={fullTime(new Date(usage.resetsAt), timeZone)}>
          {resetText(usage, now)}
        </p>
      </div>
      {/* Not antd's Progress: the first screen after sign-in loads without it. */}
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label="Credit Usage"
        aria-valuemin={0}
        aria-valuemax={usage.limit}
        aria-valuenow={Math.min(usage.used, usage.limit)}
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
