import { Link } from '../../lib/navigation.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import styles from './template-drawer.module.css'

const words = { draft: 'Draft', scheduled: 'Scheduled', active: 'Active', paused: 'Paused' } as const

/** Campaigns that are to send a template, each with the way to it. */
export function UsesList({
  uses,
}: {
  uses: readonly { id: string; name: string; status: keyof typeof words; scheduledFor?: string | undefined }[]
}) {
  const { timeZone } = useClock(0)
  return (
    <ul className={styles['list']}>
      {uses.map(({ id, name, status, scheduledFor }) => (
        <li key={id}>
          <Link to={`/broadcasts?${status === 'draft' ? 'draft' : 'id'}=${id}`} className={styles['use'] ?? ''}>
            <span className={styles['name']} dir="auto">
              {name || 'Draft without a name'}
            </span>
            <span className={styles['quiet']}>
              {words[status]}
              {scheduledFor && `, ${fullTime(new Date(scheduledFor), timeZone)}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
