import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { ImportRow } from '@parley/contracts/contacts/import-rows'
import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { counted, formatCount } from '../../../lib/format.ts'
import { importRowsOptions, rowsFile, type WhichRows } from './api.ts'
import styles from './row-list.module.css'

interface RowKind {
  readonly which: WhichRows
  readonly label: string
  readonly title: string
  readonly count: number
}

/** The rows of a file by what becomes of them, those that need a look first. */
export function RowLists({ record }: { record: ImportRecord }) {
  const kinds = kindsOf(record).filter(({ count }) => count > 0)
  const [chosen, setChosen] = useState<string>()
  const kind = kinds.find(({ label }) => label === chosen) ?? kinds[0]
  if (!kind) return null
  return (
    <div className={styles['problems']}>
      {kinds.length > 1 && (
        <div className={styles['kinds']}>
          <Segmented
            aria-label="Rows"
            value={kind.label}
            options={kinds.map(({ label, count }) => ({ value: label, label: `${label} ${formatCount(count)}` }))}
            onChange={setChosen}
          />
        </div>
      )}
      <RowList key={kind.label} id={record.id} kind={kind} />
    </div>
  )
}

function kindsOf({ counts, undone }: ImportRecord): RowKind[] {
  if (undone)
    return [
      { which: { undone: 'kept' }, label: 'Kept', title: 'Contacts that are kept', count: undone.kept },
      {
        which: { undone: 'removed' },
        label: 'Removed',
        title: 'Removed contacts',
        count: undone.removed,
      },
      {
        which: { undone: 'restored' },
        label: 'Restored',
        title: 'Restored contacts',
        count: undone.restored,
      },
    ]
  const { invalid, updated, created, skipped } = counts
  return [
    {
      which: { outcome: 'invalid' },
      label: 'Left out',
      title: 'Rows that are left out',
      count: invalid,
    },
    { which: { outcome: 'updated' }, label: 'Updated', title: 'Changed contacts', count: updated },
    { which: { outcome: 'created' }, label: 'New', title: 'New contacts', count: created },
    { which: { outcome: 'skipped' }, label: 'Skipped', title: 'Skipped rows', count: skipped },
  ]
}

function RowList({ id, kind: { which, label, title, count } }: { id: string; kind: RowKind }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isError, refetch } = useInfiniteQuery(
    importRowsOptions(id, which),
  )
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={styles['problems']} aria-label={title}>
      <div className={styles['head']}>
        <h3 className={styles['title']}>
          {counted(count, 'row')} {label.toLowerCase()}
        </h3>
        <Button icon={<DownloadOutlined aria-hidden />} href={rowsFile(id, which)} download>
          Download as CSV
        </Button>
      </div>
      {isError && (
        <p role="alert">
          The rows could not be read. <Button onClick={() => void refetch()}>Retry</Button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul className={styles['list']} tabIndex={0} aria-label="Rows">
        {rows.map((row) => (
          <Row key={row.line} row={row} />
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({ row: { line, name, phone, waUserId, reason, value, changes = [] } }: { row: ImportRow }) {
  return (
    <li className={styles['problem']}>
      <span className={styles['line']}>Line {line}</span>
      <span className={styles['reason']}>
        {reason} {value && <bdi className={styles['value']}>{value}</bdi>}
        {!value && <bdi>{[name, phone || waUserId].filter(Boolean).join(' · ')}</bdi>}
        {changes.map(({ field, before, after }) => (
          <span key={field} className={styles['change']}>
            <bdi>{field}</bdi>: {before && <del dir="auto">{before}</del>} <ins dir="auto">{after || '–'}</ins>
          </span>
        ))}
      </span>
    </li>
  )
}
