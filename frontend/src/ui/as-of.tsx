import { dateTimeFormat } from '../lib/date-formats.ts'
import styles from './as-of.module.css'

interface Figures {
  readonly asOf: string
  readonly timeZone: string
  readonly sampleIncluded: boolean
}

/** Says when figures were summed, by whose days, and whether they go on from those of the sample data. */
export function AsOf({ asOf: at, timeZone, sampleIncluded }: Figures) {
  const time = dateTimeFormat(undefined, { timeZone, timeStyle: 'medium' }).format(new Date(at))
  return (
    <p className={styles['asOf']}>
      As of <time dateTime={at}>{time}</time>. Days are those of {timeZone}.{sampleIncluded && ' Sample data included.'}
    </p>
  )
}
