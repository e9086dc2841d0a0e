import { useQuery } from '@tanstack/react-query'
import { usageOptions } from '../../lib/choices/usage.ts'
import { formatConstant, formatDay } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** What campaigns may still send in this period. */
export function CreditsCard() {
  const { data: usage, isLoadingError, isFetching, refetch } = useQuery(usageOptions())
  return (
    <SettingsCard
      title="Credits"
      lead="Each template message takes one credit. A campaign holds its credits from its start on and gives back what it does not send; answers to customers take none."
    >
      {isLoadingError && !isFetching ? (
        <ErrorState
          title="Credits could not be loaded"
          message="Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : !usage ? (
        <SkeletonBar height="72px" />
      ) : (
        <dl className={styles['facts']}>
          <div>
            <dt>Allowed by {usage.plan}</dt>
            <dd>{usage.limited ? formatConstant(usage.limit) : 'No limit'}</dd>
          </div>
          <div>
            <dt>Used</dt>
            <dd>{formatConstant(usage.used)}</dd>
          </div>
          <div>
            <dt>Held by Campaigns</dt>
            <dd>{formatConstant(usage.held)}</dd>
          </div>
          {usage.limited && (
            <div>
              <dt>Left</dt>
              <dd>{formatConstant(usage.left)}</dd>
            </div>
          )}
          <div>
            <dt>{usage.renews ? 'Renewed On' : usage.ended ? 'Ended On' : 'Ends On'}</dt>
            <dd>
              <time dateTime={usage.to}>{formatDay(usage.to)}</time>
            </dd>
          </div>
        </dl>
      )}
    </SettingsCard>
  )
}
