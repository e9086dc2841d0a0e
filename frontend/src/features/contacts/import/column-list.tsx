import { type ImportColumn, type ImportTarget, importTargets } from '@parley/contracts/contacts/import-files'
import { Select } from 'antd'
import { popupInside } from '../../../ui/popup-inside.ts'
import styles from './map-step.module.css'

const targetNames: Record<ImportTarget, string> = {
  name: 'Name',
  phone: 'Phone',
  other_phone: 'Another phone',
  calling_code: 'Country code',
  user_id: 'WhatsApp user id',
  tags: 'Tags',
  attribute: 'Detail',
  consent: 'Marketing consent',
  ignore: 'Leave out',
}
const options = importTargets.map((target) => ({ value: target, label: targetNames[target] }))

/** The columns of a file with what is in them, what each becomes, and why that was suggested. */
export function ColumnList({
  columns,
  targets,
  onTarget,
}: {
  columns: readonly ImportColumn[]
  targets: readonly ImportTarget[]
  onTarget: (index: number, target: ImportTarget) => void
}) {
  return (
    <ul className={styles['columns']} aria-label="Columns">
      {columns.map(({ header, samples, target, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file; headers may repeat.
        <li key={index} className={styles['column']} data-ignored={targets[index] === 'ignore'}>
          <span className={styles['from']}>
            <b dir="auto">{header}</b>
            <span className={styles['samples']} dir="auto">
              {samples.join(' · ') || 'Empty'}
            </span>
            {reason && targets[index] === target && <span className={styles['reason']}>{reason}</span>}
          </span>
          <Select
            aria-label={`Import ${header} as`}
            className={styles['target'] ?? ''}
            value={targets[index] ?? 'ignore'}
            options={options}
            onChange={(chosen) => onTarget(index, chosen)}
            getPopupContainer={popupInside}
          />
        </li>
      ))}
    </ul>
  )
}
