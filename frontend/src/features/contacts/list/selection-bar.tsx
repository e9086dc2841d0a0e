import CloseOutlined from '@ant-design/icons/CloseOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { formatConstant } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './selection-bar.module.css'

interface Props {
  /** Number of selected contacts; 0 hides it. */
  count: number
  /** Number of all contacts; set where the page is selected and there are more. */
  total: number | undefined
  onEverything: () => void
  onClear: () => void
  onAddTag: () => void
  /** Merges two; set where two are selected. */
  onMerge: (() => void) | undefined
  /** Absent for members who may not. */
  onExport: (() => void) | undefined
  /** Absent for members who may not. */
  onDelete: (() => void) | undefined
}

/** Slides over the filter row while something is selected; the row behind it is out of reach until then. */
export function SelectionOver({ bar, children }: { bar: Props; children: ReactNode }) {
  const isOpen = bar.count > 0
  return (
    <div className={styles['place']} data-open={isOpen}>
      <div inert={isOpen} className={styles['behind']}>
        {children}
      </div>
      {isOpen && <SelectionBar {...bar} />}
    </div>
  )
}

function SelectionBar({ count, total, onEverything, onClear, onAddTag, onMerge, onExport, onDelete }: Props) {
  return (
    <section className={styles['bar']} aria-label="Selection">
      <IconButton label="Clear selection" onClick={onClear}>
        <CloseOutlined aria-hidden />
      </IconButton>
      <p className={styles['count']} role="status">
        {formatConstant(count)} selected
      </p>
      {total !== undefined && (
        <Button type="link" onClick={onEverything}>
          Select all {formatConstant(total)}
        </Button>
      )}
      <div className={styles['actions']}>
        <Button icon={<TagOutlined aria-hidden />} onClick={onAddTag}>
          Add Tag
        </Button>
        {onMerge && (
          <Button icon={<MergeCellsOutlined aria-hidden />} onClick={onMerge}>
            Merge
          </Button>
        )}
        {onExport && (
          <Button icon={<DownloadOutlined aria-hidden />} onClick={onExport}>
            Export
          </Button>
        )}
        {onDelete && (
          <Button danger icon={<DeleteOutlined aria-hidden />} onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </section>
  )
}
