import type { Recipient } from '@parley/contracts/campaigns/campaign-recipients'
import { writtenPhone } from '@parley/phone'
import { Link } from '../../../lib/navigation.ts'
import { recipientLabels } from '../../../lib/recipient-labels.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import styles from './recipients.module.css'

/** One contact of a campaign: who, what has become of the message, when and why. */
export function RecipientRow({
  recipient: { contactId, name, phone, known, state, reason, beside, clicked, replied, times },
  now,
  timeZone,
}: {
  recipient: Recipient
  now: Date
  timeZone: string
}) {
  const { word, tone } = recipientLabels[state]
  const written = phone === undefined ? undefined : writtenPhone(phone)
  const shown = name || written || 'Erased contact'
  const at = state === 'left_out' || state === 'waiting' || state === 'uncertain' ? undefined : times[state]
  const done = [clicked && 'Clicked', replied && 'Replied'].filter(Boolean)
  return (
    <li className={styles['row']}>
      <div className={styles['head']}>
        {known ? (
          <Link to={`/conversations?contact=${contactId}`} className={styles['name'] ?? ''} dir="auto">
            {shown}
          </Link>
        ) : (
          <span className={styles['name']} dir="auto">
            {shown}
          </span>
        )}
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <p className={styles['facts']}>
        {name && written && <bdi>{written}</bdi>}
        {done.map((what) => (
          <span key={String(what)}>{what}</span>
        ))}
        {at && <Timestamp at={at} now={now} timeZone={timeZone} />}
      </p>
      {reason && <p className={styles['reason']}>{reason}</p>}
      {beside && <p className={styles['reason']}>{besideLabels[beside]}</p>}
    </li>
  )
}

/** Labels for the outcome of other messages that left from the number in the same minute. */
const besideLabels: Record<NonNullable<Recipient['beside']>, string> = {
  answered: 'WhatsApp answered for others at that time.',
  nothing: 'Nothing was confirmed at that time.',
}
