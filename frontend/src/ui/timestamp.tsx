import { fullTime, relativeTime } from '../lib/relative-time.ts'
import { Hint } from './hint.tsx'

interface Moment {
  at: string
  now: Date
  timeZone: string
}

/** A time as people say it: `4 min ago` up to a day, then the date; in full on hover and focus. */
export function Timestamp({ side, ...moment }: Moment & { side?: 'left' }) {
  return (
    <Hint text={fullTime(new Date(moment.at), moment.timeZone)} {...(side && { side })}>
      <RelativeTime {...moment} />
    </Hint>
  )
}

/** The same without more behind it, for the inside of a link, which has one tooltip for all that it says. */
export function RelativeTime({ at, now, timeZone }: Moment) {
  return <time dateTime={at}>{relativeTime(new Date(at), now, timeZone)}</time>
}
