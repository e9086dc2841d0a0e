import { fullTime, relativeTime } from '../lib/relative-time.ts'
import { Tooltip } from './tooltip.tsx'

/** A time as people say it: `4 min ago` up to a day, then the date; in full on hover and focus. */
export function When({ at, now, timeZone }: { at: string; now: Date; timeZone: string }) {
  const time = new Date(at)
  return (
    <Tooltip text={fullTime(time, timeZone)}>
      <time dateTime={at}>{relativeTime(time, now, timeZone)}</time>
    </Tooltip>
  )
}
