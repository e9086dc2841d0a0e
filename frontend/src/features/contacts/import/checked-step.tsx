import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Button, Checkbox, Radio } from 'antd'
import { useId, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { Counters } from '../../../ui/counters.tsx'
import { useImportChange } from './api.ts'
import { RowLists } from './row-lists.tsx'
import styles from './running-step.module.css'

/** Shows what the import would do. Nothing has been changed yet. */
export function CheckedStep({ record }: { record: ImportRecord }) {
  const { mutate, isPending, error } = useImportChange(record.id)
  const { created, updated, skipped, invalid } = record.counts
  const changes = created + updated
  const [startWorkflows, setStartWorkflows] = useState(false)
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
      {record.unclear && (
        <UnclearNumbers
          unclear={record.unclear}
          isPending={isPending}
          onChange={(digits) => mutate({ changes: { digits }, step: 'check' })}
        />
      )}
      {record.consentRefused > 0 && (
        <p className={styles['quiet']}>
          {counted(record.consentRefused, 'row')} without marketing consent: the cell is neither yes nor no, or the
          customer has opted out.
        </p>
      )}
      <RowLists record={record} />
      {changes === 0 && <p className={styles['quiet']}>No row in this file changes anything.</p>}
      {changes > 0 && (
        <Checkbox checked={startWorkflows} onChange={({ target }) => setStartWorkflows(target.checked)}>
          Start workflows for {counted(changes, 'contact')}
        </Checkbox>
      )}
      {error && <p role="alert">{explain(error, 'The import could not be started. Try again.')}</p>}
      <div className={styles['foot']}>
        <Button
          type="primary"
          loading={isPending}
          disabled={changes === 0}
          onClick={() => mutate({ step: 'run', startWorkflows })}
        >
          Import {counted(changes, 'contact')}
        </Button>
        <Button onClick={() => mutate({ changes: {} })}>Back</Button>
      </div>
    </div>
  )
}

type Digits = NonNullable<ImportRecord['digits']>

/** Asks once for all numbers without a plus that may be two different ones. */
function UnclearNumbers({
  unclear: { count, readAs, written, national, international },
  isPending,
  onChange,
}: {
  unclear: NonNullable<ImportRecord['unclear']>
  isPending: boolean
  onChange: (digits: Digits) => void
}) {
  const id = useId()
  const what =
    count === 1
      ? '1 number has no plus and may be read in two ways.'
      : `${formatCount(count)} numbers have no plus and may be read in two ways.`
  return (
    <fieldset className={styles['unclear']}>
      <legend>
        What does <bdi>{written}</bdi> mean?
      </legend>
      <p className={styles['quiet']}>
        {what} {readAs === null ? 'Their rows are left out until you choose.' : 'Check that this is right.'}
      </p>
      <Radio.Group
        name={id}
        value={readAs}
        disabled={isPending}
        vertical
        onChange={({ target }) => onChange(target.value === 'international' ? 'international' : 'national')}
        options={[
          { value: 'national', label: `${national}: without a country code` },
          { value: 'international', label: `${international}: with its country code` },
        ]}
      />
    </fieldset>
  )
}
