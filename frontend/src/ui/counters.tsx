import type { ReactNode } from 'react'
import styles from './counters.module.css'
import { SkeletonBar } from './skeleton.tsx'

export interface Counter {
  readonly label: ReactNode
  /** Identifies it among the others where its label is not a text. */
  readonly key?: string
  /** Absent while it is read, or where it could not be. */
  readonly value: ReactNode
  readonly hint?: ReactNode
}

/** The row of figures above a list. @param failed what is absent could not be read. */
export function Counters({ items, failed = false }: { items: readonly Counter[]; failed?: boolean }) {
  return (
    <dl className={styles['counters']}>
      {items.map(({ label, key = String(label), value, hint }) => (
        <div key={key} className={styles['counter']}>
          <dt>{label}</dt>
          <dd className={styles['value']}>{value ?? (failed ? '–' : <SkeletonBar width="2.5em" height="1.3em" />)}</dd>
          {hint !== undefined && <dd className={styles['hint']}>{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}
