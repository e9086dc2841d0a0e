import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Button, Progress } from 'antd'
import { formatCount } from '../../../lib/format.ts'
import { useImportChange } from './api.ts'
import styles from './running-step.module.css'

/** Shows the progress of a run through the file. */
export function RunningStep({ record: { id, state, percent, counts } }: { record: ImportRecord }) {
  const { mutate, isPending } = useImportChange(id)
  const rows = formatCount(counts.created + counts.updated + counts.skipped + counts.invalid)
  const what = { checking: 'Checking the file', undoing: 'Undoing the import' }[String(state)] ?? 'Importing contacts'
  return (
    <div className={styles['step']}>
      <h2 className={styles['title']}>{what}</h2>
      <Progress percent={percent} aria-label={what} />
      {state === 'checking' && <p className={styles['quiet']}>{rows} rows checked. Nothing is changed yet.</p>}
      {state === 'running' && (
        <p className={styles['quiet']}>{rows} rows done. You can leave this page; the import continues.</p>
      )}
      {state !== 'undoing' && (
        <div>
          <Button loading={isPending} onClick={() => mutate({ step: 'cancel' })}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}
