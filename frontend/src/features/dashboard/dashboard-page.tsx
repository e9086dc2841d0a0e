import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { usageApi } from '@parley/contracts/usage/usage'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { usageOptions } from '../../lib/choices/usage.ts'
import { dashboardKeys, usageKeys } from '../../lib/query-keys.ts'
import { useNow } from '../../lib/use-now.ts'
import { useUser } from '../../lib/user.ts'
import { ActionLink } from '../../ui/action.tsx'
import { AsOf } from '../../ui/as-of.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { headerActions } from './actions.ts'
import { CreditUsage } from './credit-usage.tsx'
import styles from './dashboard-page.module.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { creditsStat } from './live-credits.ts'
import { QuickActions } from './quick-actions.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StatCards } from './stat-cards.tsx'

/** The first screen after sign-in. */
export function DashboardPage() {
  return (
    <Page
      description="How your conversations are going, and what happened recently."
      actions={headerActions.map(({ label, to }, index) => (
        <ActionLink key={label} to={to} primary={index === headerActions.length - 1}>
          {label}
        </ActionLink>
      ))}
    >
      <Content />
    </Page>
  )
}

function Content() {
  const { data, dataUpdatedAt, ...dashboard } = useQuery(dashboardOptions())
  const { data: usage, ...usageQuery } = useQuery(usageOptions())
  const { data: days, ...daysQuery } = useQuery(usageDaysOptions())
  const failed = [dashboard, usageQuery, daysQuery].filter(({ isLoadingError }) => isLoadingError)
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const now = useNow(dataUpdatedAt)
  if (failed.length > 0 && failed.every(({ isFetching }) => !isFetching))
    return (
      <ErrorState
        title="The dashboard could not be loaded"
        message="Nothing is lost. Check your connection and try again."
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    )
  if (!usage || !days || !data) return <DashboardSkeleton />
  return (
    <div className={styles['content']}>
      <StatCards stats={{ ...data.stats, creditsRemaining: creditsStat(usage, days) }} hasCreditLimit={usage.limited} />
      <AsOf {...data} />
      <CreditUsage usage={usage} now={now} timeZone={timeZone} />
      <div className={styles['columns']}>
        <RecentActivity items={data.activity} now={now} timeZone={timeZone} />
        <QuickActions />
      </div>
    </div>
  )
}

/** The dashboard's one query; read anew whenever the screen is opened, since every other screen changes what it counts. */
const dashboardOptions = () =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: ({ signal }) => call(dashboardApi.read, { signal }),
    refetchOnMount: 'always',
  })

/** Reads the usage by day; read anew each time, like the remaining credits. */
const usageDaysOptions = () =>
  queryOptions({
    queryKey: usageKeys.days,
    queryFn: ({ signal }) => call(usageApi.days, { signal }),
    staleTime: 0,
  })
