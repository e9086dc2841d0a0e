import { defaultPageSize } from '@parley/contracts/records'
import { Bone, Skeleton } from '../../../ui/skeleton.tsx'
import styles from './contacts-skeleton.module.css'

const rows = Array.from({ length: defaultPageSize }, (_, index) => index)

/** A page of contacts while it is read: as many rows, each as high. */
export function ContactsSkeleton() {
  return (
    <Skeleton className={styles['rows']}>
      <div className={styles['head']} />
      {rows.map((row) => (
        <div key={row} className={styles['row']}>
          <Bone width="32px" height="32px" round />
          <Bone width="20%" height="14px" />
          <Bone width="14%" height="14px" />
          <Bone width="18%" height="14px" />
        </div>
      ))}
    </Skeleton>
  )
}
