import { Button, Checkbox } from 'antd'
import type { Columns } from './columns.ts'
import styles from './contact-list.module.css'

export function ColumnChoices({ columns: { all, shown, toggle, reset } }: { columns: Columns }) {
  return (
    <div className={styles['columns']}>
      {all.map((column) => (
        <Checkbox
          key={column.key}
          checked={shown.some(({ key }) => key === column.key)}
          onChange={() => toggle(column.key)}
        >
          <span dir="auto">{column.label}</span>
        </Checkbox>
      ))}
      <Button type="text" disabled={!reset} onClick={reset}>
        Usual columns
      </Button>
    </div>
  )
}
