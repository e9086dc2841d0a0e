import { Skeleton as AntSkeleton } from 'antd'
import styles from './skeleton.module.css'
import { useMedia } from './use-media.ts'

/** A grey bar in the place of a text or picture that is still read. Sizes are CSS lengths. */
export function SkeletonBar({
  width = '100%',
  height = '1em',
  round = false,
}: {
  width?: string
  height?: string
  round?: boolean
}) {
  // antd's placeholders ignore the preference for reduced motion.
  const still = useMedia('(prefers-reduced-motion: reduce)')
  return (
    <AntSkeleton.Node
      active={!still}
      styles={{
        // A height in em counts by the text in whose place the bar stands.
        root: { display: 'block', width, height, fontSize: 'inherit' },
        content: { width: '100%', minWidth: 0, height: '100%', ...(round && { borderRadius: 'var(--radius-full)' }) },
      }}
    />
  )
}

/** Says once to a screen reader that its inside is being read. */
export function Skeleton({ className, children }: { className?: string | undefined; children: React.ReactNode }) {
  return (
    <div role="status" aria-label="Loading..." className={className}>
      {children}
    </div>
  )
}

/** Cards of a grid, or rows of a table, while they are read. `height` is that of the real ones. */
export function SkeletonBlocks({
  count,
  height,
  className,
}: {
  count: number
  height: string
  className?: string | undefined
}) {
  return (
    <Skeleton className={className ?? styles['rows']}>
      {Array.from({ length: count }, (_, index) => index).map((block) => (
        <div key={block} className={styles['block']} style={{ height }}>
          <SkeletonBar width="38%" height="14px" />
          <SkeletonBar width="22%" height="12px" />
        </div>
      ))}
    </Skeleton>
  )
}

/** A table while it is read: its head, and rows as high as the real ones. */
export function SkeletonTable({ rows, height }: { rows: number; height: string }) {
  return (
    <Skeleton className={styles['table']}>
      <div className={styles['head']} />
      {Array.from({ length: rows }, (_, index) => index).map((row) => (
        <div key={row} className={styles['row']} style={{ height }}>
          <SkeletonBar width="26%" height="14px" />
          <SkeletonBar width="12%" height="14px" />
          <SkeletonBar width="18%" height="14px" />
        </div>
      ))}
    </Skeleton>
  )
}
