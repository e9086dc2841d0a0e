import { defaultTimeZone } from '@parley/contracts/time-zones'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../../lib/use-now.ts'
import { useUser } from '../../lib/user.ts'
import { ActionLink } from '../../ui/action.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { headerActions } from './actions.ts'
import { dashboardOptions } from './api.ts'
import { CreditUsage } from './credit-usage.tsx'
import styles from './dashboard-page.module.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StatCards } from './stat-cards.tsx'

/** The first screen after sign-in (specification section 2, Dashboard). */
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
  const { data, dataUpdatedAt, isLoadingError, isFetching, refetch } = useQuery(dashboardOptions())
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const now = useNow(dataUpdatedAt)
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The dashboard could not be loaded"
        message="Nothing is lost. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <DashboardSkeleton />
  return (
    <div className={styles['content']}>
      <StatCards stats={data.stats} />
      <CreditUsage usage={data.credits} now={now} timeZone={timeZone} />
      <div className={styles['columns']}>
        <RecentActivity items={data.activity} now={now} timeZone={timeZone} />
        <QuickActions />
      </div>
    </div>
  )
}
