import TableOutlined from '@ant-design/icons/TableOutlined'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Popover } from '../../../ui/popover.tsx'
import type { Columns } from './columns.ts'

const ColumnChoices = lazy(async () => ({ default: (await import('./column-choices.tsx')).ColumnChoices }))

/** Selects the columns that the table shows. */
export function ColumnsMenu({ columns }: { columns: Columns }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Columns"
      open={open}
      onOpenChange={setOpen}
      align="end"
      button={
        <Button type="default" icon={<TableOutlined aria-hidden />}>
          Columns
        </Button>
      }
    >
      <Suspense>
        <ColumnChoices columns={columns} />
      </Suspense>
    </Popover>
  )
}
