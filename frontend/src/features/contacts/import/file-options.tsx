import type { ImportEncoding } from '@parley/contracts/contacts/import-files'
import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Select } from 'antd'
import { useId } from 'react'
import { popupInside } from '../../../ui/popup-inside.ts'
import type { ImportChanges } from './api.ts'
import styles from './map-step.module.css'

const encodingNames: Record<ImportEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  macintosh: 'Western European (Mac)',
  gb18030: 'Simplified Chinese (GB 18030)',
  big5: 'Traditional Chinese (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
}
const delimiterNames = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** Options for reading the file: its sheet, its encoding, shown by a line of it, and the row that names the columns. */
export function FileOptions({
  record: { format, encodings, sheets, firstRows, headerRow },
  isPending,
  onChange,
}: {
  record: ImportRecord
  isPending: boolean
  onChange: (changes: ImportChanges) => void
}) {
  const id = useId()
  const above = firstRows.slice(0, Math.max(0, headerRow - 1))
  const rows = firstRows.map(({ line, text }, index) => ({ value: index + 1, label: `Line ${line}: ${text}` }))
  return (
    <div className={styles['file']}>
      {format.kind === 'xlsx' && sheets.length > 1 && (
        <div className={styles['option']}>
          <label htmlFor={`${id}-sheet`}>Sheet of the workbook</label>
          <Select
            id={`${id}-sheet`}
            value={format.sheet ?? sheets[0] ?? null}
            loading={isPending}
            options={sheets.map((name) => ({ value: name, label: name }))}
            onChange={(sheet) => onChange({ sheet })}
            getPopupContainer={popupInside}
          />
        </div>
      )}
      {format.kind !== 'vcard' && (
        <div className={styles['option']}>
          <label htmlFor={`${id}-header`}>Column names</label>
          <Select
            id={`${id}-header`}
            value={headerRow}
            loading={isPending}
            options={[...rows, { value: 0, label: 'The file has no column names' }]}
            onChange={(chosen) => onChange({ headerRow: chosen })}
            getPopupContainer={popupInside}
          />
          {above.length > 0 && (
            <p className={styles['quiet']}>
              Left out above them: <bdi>{above.map(({ text }) => text).join(' · ')}</bdi>
            </p>
          )}
        </div>
      )}
      {format.kind === 'csv' && (
        <div className={styles['option']}>
          <label htmlFor={`${id}-encoding`}>Character encoding</label>
          {encodings.length > 0 ? (
            <Select
              id={`${id}-encoding`}
              value={format.encoding}
              loading={isPending}
              options={encodings.map(({ encoding, sample }) => ({
                value: encoding,
                title: encodingNames[encoding],
                label: `${encodingNames[encoding]}: ${sample}`,
              }))}
              onChange={(encoding) => onChange({ encoding })}
              getPopupContainer={popupInside}
            />
          ) : (
            <Select id={`${id}-encoding`} disabled value={encodingNames[format.encoding]} options={[]} />
          )}
          <p className={styles['quiet']}>
            {encodings.length > 0 && format.encoding !== 'utf-8'
              ? 'The file does not say which character encoding it uses. Choose the line that reads right.'
              : `Cells are separated by ${delimiterNames[format.delimiter]}.`}
          </p>
        </div>
      )}
    </div>
  )
}
