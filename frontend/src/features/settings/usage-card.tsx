import type { Usage } from '@parley/contracts/usage/usage'
import { formatConstant, formatPercent } from '../../lib/format.ts'
import { Meter } from '../../ui/meter.tsx'
import { samplePart } from './billing-labels.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Shows how many of the plan's messages were sent. */
export function UsageCard({ usage: { messages, limited, sample } }: { usage: Usage }) {
  const { used, limit, held, left } = messages
  const words = limited ? `${formatConstant(used)} of ${formatConstant(limit)} sent` : `${formatConstant(used)} sent`
  const ofSample = samplePart(sample?.messages)
  const rest = restOf({ used, limit, held, left })
  const percent = limit === 0 ? 0 : (used / limit) * 100
  return (
    <SettingsCard title="Usage This Month">
      <div className={styles['usage']}>
        <p className={styles['usageLabels']}>
          <b>{words}</b>
          {limited && <span>{formatPercent(percent)}</span>}
        </p>
        {limited && (
          <>
            <Meter
              label="Usage This Month"
              value={used}
              max={limit}
              text={`${words}, ${rest}`}
              tone={percent >= 90 ? 'danger' : percent >= 80 ? 'warning' : 'normal'}
            />
            <p className={styles['quiet']}>{rest}</p>
          </>
        )}
        {ofSample && <p className={styles['quiet']}>{ofSample}</p>}
      </div>
    </SettingsCard>
  )
}

function restOf({ used, limit, held, left }: Usage['messages']): string {
  const over = used > limit ? `${formatConstant(used - limit)} over plan` : `${formatConstant(left)} remaining`
  return held > 0 ? `${over}, ${formatConstant(held)} held by campaigns` : over
}
