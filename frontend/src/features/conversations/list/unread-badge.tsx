import { useQuery } from '@tanstack/react-query'
import { inboxSummaryOptions } from '../../../lib/inbox-summary.ts'
import styles from './unread-badge.module.css'

const maxShown = 99

/** Shows the number of unread messages; nothing where there are none or the number is not known. */
export function UnreadBadge({ dot }: { dot: boolean }) {
  const unread = useQuery(inboxSummaryOptions()).data?.unread ?? 0
  if (unread === 0) return null
  return (
    <span className={dot ? styles['dot'] : styles['badge']}>
      <span className={dot ? 'visually-hidden' : undefined}>{unread > maxShown ? `${maxShown}+` : unread}</span>
      <span className="visually-hidden"> unread</span>
    </span>
  )
}
