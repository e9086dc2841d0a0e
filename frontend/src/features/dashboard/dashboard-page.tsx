import { defaultTimeZone } from '@parley/contracts/time-zones'
import { useQuery } from '@tanstack/react-query'
import { routeExists } from '../../lib/navigation.ts'
import { useNow } from '../../lib/use-now.ts'
import { useUser } from '../../lib/user.ts'
import { ActionLink } from '../../ui/action.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { headerActions, quickActions } from './actions.ts'
import { dashboardOptions } from './api.ts'
import { CreditUsage } from './credit-usage.tsx'
import styles from './dashboard-page.module.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StatCards } from './stat-cards.tsx'

/** The first screen after sign-in (specification section 2, Dashboard). */
export function DashboardPage() {
  const buttons = headerActions.filter(({ to }) => routeExists(to))
  return (
    <Page
      description="How your conversations are doing, and what happened last."
      actions={
        buttons.length > 0 &&
        buttons.map(({ label, to }, index) => (
          <ActionLink key={label} to={to} primary={index === buttons.length - 1}>
            {label}
          </ActionLink>
        ))
      }
    >
      <Content />
    </Page>
  )
}

function Content() {
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useQuery(dashboardOptions())
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const now = useNow(dataUpdatedAt)
  const shortcuts = quickActions.filter(({ to }) => routeExists(to.replace(/\?.*/, '')))
  if (isError && !isFetching)
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
      <div className={styles['columns']} data-single={shortcuts.length === 0 || undefined}>
        <RecentActivity items={data.activity} now={now} timeZone={timeZone} />
        {shortcuts.length > 0 && <QuickActions actions={shortcuts} />}
      </div>
    </div>
  )
}
