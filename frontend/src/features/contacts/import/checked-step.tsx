import { Button } from 'antd'
import { counted, formatCount } from '../../../lib/format.ts'
import { Counters } from '../../../ui/counters.tsx'
import type { Outcome } from './outcome.ts'
import { ProblemList } from './problem-list.tsx'
import styles from './running-step.module.css'
import type { ImportFlow } from './use-import.ts'

/** What the import would do. Nothing has been changed yet. */
export function CheckedStep({ flow, outcome }: { flow: ImportFlow; outcome: Outcome }) {
  const { created, updated, skipped, problems } = outcome
  const changes = created + updated
  return (
    <div className={styles['step']}>
      <Counters
        items={[
          { label: 'New', value: formatCount(created) },
          { label: 'Updated', value: formatCount(updated) },
          { label: 'Skipped', value: formatCount(skipped), hint: 'Already in your contacts' },
          { label: 'Left out', value: formatCount(problems.length), hint: 'With errors' },
        ]}
      />
      <ProblemList problems={problems} />
      {changes === 0 && <p className={styles['quiet']}>No row in this file changes anything.</p>}
      <div className={styles['foot']}>
        <Button type="primary" disabled={changes === 0} onClick={() => void flow.run()}>
          Import {counted(changes, 'contact')}
        </Button>
        <Button onClick={flow.back}>Back</Button>
      </div>
    </div>
  )
}
