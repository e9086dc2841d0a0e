import styles from './dashboard-skeleton.module.css'
import { cards } from './stat-cards.tsx'

const rows = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']

/** The dashboard's layout while it is read; nothing moves when the numbers come. */
export function DashboardSkeleton() {
  return (
    <div className={styles['skeleton']} role="status" aria-label="Loading...">
      <div className={styles['stats']}>
        {cards.map(({ name }) => (
          <div key={name} className={styles['card']}>
            <i data-size="label" />
            <i data-size="value" />
            <i data-size="label" />
            <i data-size="chart" />
          </div>
        ))}
      </div>
      <div className={styles['card']}>
        <i data-size="title" />
        <i data-size="text" />
        <i data-size="line" />
      </div>
      <div className={styles['card']}>
        <i data-size="title" />
        {rows.map((row) => (
          <i key={row} data-size="row" />
        ))}
      </div>
    </div>
  )
}
