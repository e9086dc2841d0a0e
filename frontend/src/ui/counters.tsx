import type { ReactNode } from 'react'
import styles from './counters.module.css'
import { Bone } from './skeleton.tsx'

export interface Counter {
  readonly label: string
  /** Absent while it is read. */
  readonly value: ReactNode
  readonly hint?: ReactNode
}

/** The row of figures above a list. */
export function Counters({ items }: { items: readonly Counter[] }) {
  return (
    <dl className={styles['counters']}>
      {items.map(({ label, value, hint }) => (
        <div key={label} className={styles['counter']}>
          <dt>{label}</dt>
          <dd className={styles['value']}>{value ?? <Bone width="2.5em" height="1.3em" />}</dd>
          {hint !== undefined && <dd className={styles['hint']}>{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}
