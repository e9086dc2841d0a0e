import type { ReactNode } from 'react'
import styles from './list-bar.module.css'

/** The row above a list: search and filters on the left, the list's actions on the right. */
export function ListBar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles['bar']}>
      <div className={styles['find']}>{children}</div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
