import { Counters } from '../../ui/counters.tsx'
import { Skeleton, SkeletonBar, SkeletonTable } from '../../ui/skeleton.tsx'
import styles from './analytics.module.css'
import { changeText } from './analytics-labels.ts'

const labels = ['Total Messages', 'Messages Sent', 'Active Contacts', 'Bot Interactions']

const heights = ['46%', '62%', '58%', '70%', '66%', '40%', '52%']

/** The layout of the analytics while they are read. */
export function AnalyticsSkeleton() {
  return (
    <div className={styles['content']}>
      <Counters items={labels.map((label) => ({ label, value: undefined, hint: <UnreadChange /> }))} />
      <Skeleton className={styles['panel']}>
        <SkeletonBar width="220px" height="24px" />
        <div className={styles['bars']}>
          {heights.map((height) => (
            <SkeletonBar key={height} height={height} />
          ))}
        </div>
      </Skeleton>
      <div className={styles['columns']}>
        <SkeletonTable rows={5} height="48px" />
        <SkeletonTable rows={5} height="48px" />
      </div>
    </div>
  )
}

/** Breaks into as many lines as the real one, which is about as long. */
const UnreadChange = () => (
  <span className={styles['unread']}>
    <span>{changeText(12.5, '30d')}</span>
    <SkeletonBar width="80%" height="calc(100% - 4px)" />
  </span>
)
