import type { Conversation } from '@parley/contracts/inbox/conversations'
import { dueOf } from './due.ts'
import styles from './due-badge.module.css'

interface Props {
  conversation: Conversation
  now: Date
  timeZone: string
}

/** Tells how much time is left for an answer, or by how much it is late; nothing without a response target. */
export function DueBadge({ conversation, now, timeZone }: Props) {
  const due = dueOf(conversation, { now, timeZone })
  if (!due) return null
  return (
    <span className={styles['due']} data-state={due.state} title={due.title}>
      {due.state === 'overdue' ? 'Overdue' : 'Due in'} {due.time}
    </span>
  )
}
