import { defaultPageSize } from '@parley/contracts/core/records'
import { Skeleton, SkeletonBar, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { useIsMobile } from '../../../ui/use-media.ts'
import styles from './contacts-skeleton.module.css'

const rows = Array.from({ length: defaultPageSize }, (_, index) => index)

/** A page of contacts while it is read: as many rows or cards, each as high. */
export function ContactsSkeleton() {
  if (useIsMobile()) return <SkeletonBlocks count={defaultPageSize} height="119.5px" className={styles['cards']} />
  return (
    <Skeleton className={styles['rows']}>
      <div className={styles['head']} />
      {rows.map((row) => (
        <div key={row} className={styles['row']}>
          <SkeletonBar width="32px" height="32px" round />
          <SkeletonBar width="20%" height="14px" />
          <SkeletonBar width="14%" height="14px" />
          <SkeletonBar width="18%" height="14px" />
        </div>
      ))}
    </Skeleton>
  )
}
