import type { RowMetric } from '@parley/contracts/platform/figure-rows'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from '../../lib/navigation.ts'
import styles from './analytics.module.css'

/** Figure that opens its rows beside it; the other filters of the address stay. */
export function FigureLink({
  metric,
  on,
  by,
  what,
  children,
}: {
  metric: RowMetric
  /** One day of the period. */
  on?: string
  /** Scope of one bot or member. */
  by?: string
  /** Name of the figure, for who hears the link alone. */
  what: string
  children: ReactNode
}) {
  const [parameters] = useSearchParams()
  const to = new URLSearchParams(parameters)
  for (const name of ['on', 'by']) to.delete(name)
  to.set('rows', metric)
  if (on) to.set('on', on)
  if (by) to.set('by', by)
  return (
    <Link to={`/analytics?${to}`} className={styles['figure']}>
      {children}
      <span className="visually-hidden">: rows of {what}</span>
    </Link>
  )
}
