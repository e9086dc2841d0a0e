import type { AuditEntry } from '@parley/contracts/account/audit'
import { Button } from 'antd'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import styles from './audit.module.css'
import { actionText, actorText, changeText, outcomeLabels } from './audit-labels.ts'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}

/** Entries of the audit log, the latest first. */
export const AuditEntries = ({
  items,
  clock,
  onActor,
}: {
  items: readonly AuditEntry[]
  clock: Clock
  /** Shows what one person or key has done. */
  onActor: (id: string) => void
}) => (
  <ol className={styles['entries']} aria-label="Audit log">
    {items.map((entry) => (
      <Entry key={entry.id} entry={entry} clock={clock} onActor={onActor} />
    ))}
  </ol>
)

function Entry({ entry, clock, onActor }: { entry: AuditEntry; clock: Clock; onActor: (id: string) => void }) {
  const { action, targets, changes, outcome, at, ip, device, seq } = entry
  const place = [device, ip].filter(Boolean).join(', ')
  return (
    <li className={styles['entry']}>
      <div className={styles['what']}>
        <span className={styles['action']}>{actionText(action)}</span>
        {outcome !== 'done' && (
          <StatusBadge tone={outcome === 'refused' ? 'warning' : 'danger'}>{outcomeLabels[outcome]}</StatusBadge>
        )}
        {changes.length > 0 && <span className={styles['detail']}>{changes.map(changeText).join(' · ')}</span>}
        {targets.length > 0 && (
          <span className={styles['ids']}>{targets.map(({ kind, id }) => `${kind} ${id}`).join(' · ')}</span>
        )}
      </div>
      <div className={styles['who']}>
        <Button type="link" className={styles['actor'] ?? ''} onClick={() => onActor(entry.actor.id)}>
          <bdi>{actorText(entry)}</bdi>
        </Button>
        {place && <span className={styles['detail']}>{place}</span>}
      </div>
      <div className={styles['when']}>
        <Timestamp at={at} side="left" {...clock} />
        {seq !== null && <span className={styles['detail']}>No. {seq}</span>}
      </div>
    </li>
  )
}
