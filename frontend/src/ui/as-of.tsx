import { dateTimeFormat } from '../lib/date-formats.ts'
import styles from './as-of.module.css'

/** Says when figures were summed, and by whose days. */
export function AsOf({ at, timeZone }: { at: string; timeZone: string }) {
  const time = dateTimeFormat(undefined, { timeZone, timeStyle: 'medium' }).format(new Date(at))
  return (
    <p className={styles['asOf']}>
      As of <time dateTime={at}>{time}</time>. Days are those of {timeZone}.
    </p>
  )
}
