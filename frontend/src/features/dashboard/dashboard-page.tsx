import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { useQuery } from '@tanstack/react-query'
import { usageOptions } from '../../lib/choices/usage.ts'
import { useExamples } from '../../lib/sample-data.ts'
import { useNow } from '../../lib/use-now.ts'
import { useUser } from '../../lib/user.ts'
import { ActionLink } from '../../ui/action.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ExampleScope } from '../../ui/example.tsx'
import { LoadSampleData } from '../../ui/load-sample-data.tsx'
import { Page } from '../../ui/page.tsx'
import { headerActions } from './actions.ts'
import { dashboardOptions, usageDaysOptions } from './api.ts'
import { CreditUsage } from './credit-usage.tsx'
import styles from './dashboard-page.module.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { creditsStat } from './live-credits.ts'
import { Panel } from './panel.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StatCards } from './stat-cards.tsx'

/** The first screen after sign-in. */
export function DashboardPage() {
  const examples = useExamples('dashboard')
  const page = (
    <Page
      description="How your conversations are going, and what happened recently."
      actions={headerActions.map(({ label, to }, index) => (
        <ActionLink key={label} to={to} primary={index === headerActions.length - 1}>
          {label}
        </ActionLink>
      ))}
    >
      <Content examples={examples} />
    </Page>
  )
  return examples === 'shown' ? <ExampleScope what="figures">{page}</ExampleScope> : page
}

function Content({ examples }: { examples: ReturnType<typeof useExamples> }) {
  const counts = examples !== 'none'
  const { data, dataUpdatedAt, ...dashboard } = useQuery({ ...dashboardOptions(), enabled: counts })
  const { data: usage, dataUpdatedAt: usageUpdatedAt, ...usageQuery } = useQuery(usageOptions())
  const { data: days, ...daysQuery } = useQuery(usageDaysOptions())
  const failed = [...(counts ? [dashboard] : []), usageQuery, daysQuery].filter(({ isLoadingError }) => isLoadingError)
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const now = useNow(counts ? dataUpdatedAt : usageUpdatedAt)
  if (failed.length > 0 && failed.every(({ isFetching }) => !isFetching))
    return (
      <ErrorState
        title="The dashboard could not be loaded"
        message="Nothing is lost. Check your connection and try again."
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    )
  if (!usage || !days || !examples || (counts && !data)) return <DashboardSkeleton />
  const counted = counts ? data : undefined
  return (
    <div className={styles['content']}>
      <StatCards
        stats={{ ...counted?.stats, creditsRemaining: creditsStat(usage, days) }}
        hasCreditLimit={usage.limited}
      />
      <CreditUsage usage={usage} now={now} timeZone={timeZone} />
      <div className={styles['columns']}>
        {counted ? (
          <RecentActivity items={counted.activity} now={now} timeZone={timeZone} />
        ) : (
          <Panel title="Recent Activity">
            <div className={styles['none']}>
              <p>
                Messages, campaigns and activity are not counted here yet. The sample data shows this screen with
                examples.
              </p>
              <LoadSampleData />
            </div>
          </Panel>
        )}
        <QuickActions />
      </div>
    </div>
  )
}
