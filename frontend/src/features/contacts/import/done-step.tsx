import { Button } from 'antd'
import { useState } from 'react'
import { counted, formatCount } from '../../../lib/format.ts'
import { Counters } from '../../../ui/counters.tsx'
import { ProblemList } from './problem-list.tsx'
import styles from './running-step.module.css'
import type { ImportFlow, ImportStep } from './use-import.ts'

/** What the import did. */
export function DoneStep({
  flow,
  step: { outcome, stopped, isUndone = false },
  onShow,
}: {
  flow: ImportFlow
  step: Extract<ImportStep, { kind: 'done' }>
  onShow: () => void
}) {
  const [undoing, setUndoing] = useState(false)
  const { created, updated, skipped, problems } = outcome
  const undo = async () => {
    setUndoing(true)
    await flow.undo(outcome)
    setUndoing(false)
  }
  return (
    <div className={styles['step']}>
      <h2 className={styles['title']}>{isUndone ? 'Import undone' : stopped ? 'Import stopped' : 'Import finished'}</h2>
      {stopped && !isUndone && <p>{stopped}</p>}
      {isUndone ? (
        <p className={styles['quiet']}>
          {counted(created, 'new contact')} removed.{updated > 0 && ' Contacts that were updated keep their changes.'}
        </p>
      ) : (
        <>
          <Counters
            items={[
              { label: 'New', value: formatCount(created) },
              { label: 'Updated', value: formatCount(updated) },
              { label: 'Skipped', value: formatCount(skipped) },
              { label: 'Left out', value: formatCount(problems.length) },
            ]}
          />
          <ProblemList problems={problems} />
        </>
      )}
      <div className={styles['foot']}>
        <Button type="primary" onClick={onShow}>
          Show contacts
        </Button>
        {!isUndone && created > 0 && (
          <Button loading={undoing} onClick={() => void undo()}>
            Undo
          </Button>
        )}
        <Button onClick={flow.startAnew}>Import another file</Button>
      </div>
    </div>
  )
}
