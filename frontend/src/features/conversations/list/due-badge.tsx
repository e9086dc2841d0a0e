import type { Conversation } from '@parley/contracts/inbox/conversations'
import { dueOf } from './due.ts'
import styles from './due-badge.module.css'

interface Props {
  conversation: Conversation
  now: Date
  timeZone: string
  /** In a sentence of its own. */
  long?: boolean
}

/** Tells how much time is left for an answer, or by how much it is late; nothing without a response target. */
export function DueBadge({ conversation, now, timeZone, long = false }: Props) {
  const due = dueOf(conversation, { now, timeZone })
  if (!due) return null
  const words = due.state === 'overdue' ? 'Overdue' : long ? 'Answer due in' : 'Due in'
  return (
    <span className={styles['due']} data-state={due.state} title={due.title}>
      {words} {due.time}
    </span>
  )
}
