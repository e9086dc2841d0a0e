import { Button, Progress } from 'antd'
import { formatCount } from '../../../lib/format.ts'
import type { Outcome } from './outcome.ts'
import styles from './running-step.module.css'

/** How far a run through the file has come. */
export function RunningStep({
  dryRun,
  outcome: { created, updated, skipped, problems, percent },
  onCancel,
}: {
  dryRun: boolean
  outcome: Outcome
  onCancel: () => void
}) {
  const rows = created + updated + skipped + problems.length
  const what = dryRun ? 'Checking the file' : 'Importing contacts'
  return (
    <div className={styles['step']}>
      <h2 className={styles['title']}>{what}</h2>
      <Progress percent={percent} aria-label={what} />
      <p className={styles['quiet']}>
        {formatCount(rows)} rows {dryRun ? 'checked. Nothing is changed yet.' : 'done.'}
      </p>
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  )
}
