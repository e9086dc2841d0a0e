import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Button } from 'antd'
import { counted, formatCount } from '../../../lib/format.ts'
import { Counters } from '../../../ui/counters.tsx'
import { toast } from '../../../ui/toast.ts'
import { useImportChange } from './api.ts'
import { RowLists } from './row-lists.tsx'
import styles from './running-step.module.css'

const titles: Partial<Record<ImportRecord['state'], string>> = {
  undone: 'Import undone',
  stopped: 'Import stopped',
  failed: 'Import stopped',
}

/** Shows the result of the import or its undo. */
export function DoneStep({
  record,
  onShow,
  onAnother,
}: {
  record: ImportRecord
  onShow: (id: string | undefined) => void
  onAnother: () => void
}) {
  const { mutate, isPending } = useImportChange(record.id)
  const { id, state, counts, undone, removedFields, problem, keptUntil } = record
  const { created, updated, skipped, invalid } = counts
  const canUndo = state !== 'undone' && keptUntil !== null && created + updated > 0
  const left = undone ? undone.kept : created + updated
  const undo = () =>
    mutate({ step: 'undo' }, { onError: () => toast.error('The import could not be undone. Try again.') })
  const items = undone
    ? [
        { label: 'Removed', value: formatCount(undone.removed) },
        { label: 'Restored', value: formatCount(undone.restored) },
        { label: 'Kept', value: formatCount(undone.kept), hint: 'Changed since the import' },
      ]
    : [
        { label: 'New', value: formatCount(created) },
        { label: 'Updated', value: formatCount(updated) },
        { label: 'Skipped', value: formatCount(skipped) },
        { label: 'Left out', value: formatCount(invalid) },
      ]
  return (
    <div className={styles['step']}>
      <h2 className={styles['title']}>{titles[state] ?? 'Import finished'}</h2>
      {state === 'stopped' && <p>You stopped the import.</p>}
      {problem && <p>{problem} The rows imported so far are saved.</p>}
      {undone && (
        <p className={styles['quiet']}>
          {counted(undone.removed, 'new contact')} removed, {counted(undone.restored, 'contact')} as before.
          {undone.kept > 0 && ' What was changed since the import stays.'}
          {removedFields.length > 0 && ` Unused fields removed: ${removedFields.join(', ')}.`}
        </p>
      )}
      <Counters items={items} />
      {keptUntil && <RowLists record={record} />}
      <div className={styles['foot']}>
        <Button type="primary" onClick={() => onShow(left > 0 ? id : undefined)}>
          {left > 0 ? (undone ? 'Show kept contacts' : 'Show contacts') : 'Show all contacts'}
        </Button>
        {canUndo && (
          <Button loading={isPending} onClick={undo}>
            Undo
          </Button>
        )}
        <Button onClick={onAnother}>Import another file</Button>
      </div>
    </div>
  )
}
