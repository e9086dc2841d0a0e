import type { Conversation } from '@parley/contracts/conversations'
import styles from './owner-line.module.css'

/** Who has the conversation. */
export function OwnerLine({ owner: { kind, name } }: { owner: Conversation['owner'] }) {
  if (kind === 'nobody') return null
  return (
    <p className={styles['owner']}>
      {kind === 'bot' ? 'Answered by' : 'With'} <b dir="auto">{name}</b>
    </p>
  )
}
