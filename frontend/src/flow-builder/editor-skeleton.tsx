import { Skeleton, SkeletonBar } from '../ui/skeleton.tsx'
import styles from './flow-editor.module.css'

/** The builder's frame while it is loaded. */
export function EditorSkeleton() {
  return (
    <Skeleton className={styles['editor']}>
      <div className={styles['bar']}>
        <SkeletonBar width="160px" height="20px" />
      </div>
      <div className={styles['body']}>
        <div className={styles['left']} />
        <div className={styles['canvas']} />
        <div className={styles['right']} />
      </div>
    </Skeleton>
  )
}
