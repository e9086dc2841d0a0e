import type { ImportRecord } from '@parley/contracts/imports'
import { Button } from 'antd'
import { explain } from '../../../lib/explain.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { Counters } from '../../../ui/counters.tsx'
import { useImportChange } from './api.ts'
import { RowLists } from './row-lists.tsx'
import styles from './running-step.module.css'

/** What the import would do. Nothing has been changed yet. */
export function CheckedStep({ record }: { record: ImportRecord }) {
  const { mutate, isPending, error } = useImportChange(record.id)
  const { created, updated, skipped, invalid } = record.counts
  const changes = created + updated
  return (
    <div className={styles['step']}>
      <Counters
        items={[
          { label: 'New', value: formatCount(created) },
          { label: 'Updated', value: formatCount(updated) },
          { label: 'Skipped', value: formatCount(skipped), hint: 'Already in your contacts' },
          { label: 'Left out', value: formatCount(invalid), hint: 'With errors' },
        ]}
      />
      <RowLists record={record} />
      {changes === 0 && <p className={styles['quiet']}>No row in this file changes anything.</p>}
      {error && <p role="alert">{explain(error, 'The import could not be started. Try again.')}</p>}
      <div className={styles['foot']}>
        <Button type="primary" loading={isPending} disabled={changes === 0} onClick={() => mutate({ step: 'run' })}>
          Import {counted(changes, 'contact')}
        </Button>
        <Button onClick={() => mutate({ changes: {} })}>Back</Button>
      </div>
    </div>
  )
}
