import type { Usage } from '@parley/contracts/usage/usage'
import { formatConstant, formatDay } from '../../lib/format.ts'
import { samplePart } from './billing-labels.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Shows how many templates may still be sent in this period. */
export function CreditsCard({ usage }: { usage: Usage }) {
  const { plan, credits, limited, renews, ended, to, sample } = usage
  const ofSample = samplePart(sample?.credits)
  return (
    <SettingsCard
      title="Credits"
      lead="Each template message uses one credit and counts as one message. A campaign reserves both when it starts and returns what it does not send. Other replies to customers use no credits."
    >
      <dl className={styles['facts']}>
        <div>
          <dt>Allowed by {plan}</dt>
          <dd>{limited ? formatConstant(credits.limit) : 'No limit'}</dd>
        </div>
        <div>
          <dt>Used</dt>
          <dd>
            {formatConstant(credits.used)}
            {ofSample && <span className={styles['quiet']}>{ofSample}</span>}
          </dd>
        </div>
        <div>
          <dt>Held by Campaigns</dt>
          <dd>{formatConstant(credits.held)}</dd>
        </div>
        {limited && (
          <div>
            <dt>Left</dt>
            <dd>{formatConstant(credits.left)}</dd>
          </div>
        )}
        <div>
          <dt>{renews ? 'Renewed On' : ended ? 'Ended On' : 'Ends On'}</dt>
          <dd>
            <time dateTime={to}>{formatDay(to)}</time>
          </dd>
        </div>
      </dl>
    </SettingsCard>
  )
}
