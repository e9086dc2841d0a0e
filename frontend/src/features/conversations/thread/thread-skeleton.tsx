import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import styles from './thread-skeleton.module.css'

const bubbles = ['48%', '36%', '55%', '30%', '44%', '52%'] as const

/** The messages while they are read. */
export const ThreadSkeleton = () => (
  <Skeleton className={styles['bubbles']}>
    {bubbles.map((width) => (
      <SkeletonBar key={width} width={width} height="52px" />
    ))}
  </Skeleton>
)

const HeadSkeleton = () => (
  <div className={styles['head']}>
    <SkeletonBar width="36px" height="36px" round />
    <div>
      <SkeletonBar width="140px" height="14px" />
      <SkeletonBar width="200px" height="12px" />
    </div>
  </div>
)

const PanelSkeleton = () => (
  <div className={styles['panel']}>
    <SkeletonBar width="56px" height="56px" round />
    <SkeletonBar width="160px" height="16px" />
    <SkeletonBar width="120px" height="14px" />
    <SkeletonBar height="180px" />
  </div>
)

/** A conversation while it is read: head, messages and, where there is room, the right pane. */
export const ConversationSkeleton = ({ roomy }: { roomy: boolean }) => (
  <>
    <div className={styles['waiting']}>
      <HeadSkeleton />
      <ThreadSkeleton />
    </div>
    {roomy && <PanelSkeleton />}
  </>
)
