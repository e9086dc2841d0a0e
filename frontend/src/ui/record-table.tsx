import table from './table.module.css'

/** One column of a table of records: its heading, a cell of a record, and how both are set. */
export interface Column<T> {
  readonly heading: string
  readonly cell: (record: T) => React.ReactNode
  /** Aligns a column of numbers at its end. */
  readonly isNumber?: boolean
  /** Class of its cells; `headingClass` of its heading. */
  readonly className?: string | undefined
  readonly headingClass?: string | undefined
}

/** Records as a table with their actions at the end of each row, for windows above 768 px. */
export function RecordTable<T extends { readonly id: string }>({
  records,
  columns,
  actions,
}: {
  readonly records: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly actions: (record: T) => React.ReactNode
}) {
  return (
    <div className={table['frame']}>
      <table className={table['table']}>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber, headingClass }) => (
              <th key={heading} scope="col" className={classes(isNumber, headingClass)}>
                {heading}
              </th>
            ))}
            <th scope="col" className={table['actions']}>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              {columns.map(({ heading, cell, isNumber, className }) => (
                <td key={heading} className={classes(isNumber, className)}>
                  {cell(record)}
                </td>
              ))}
              <td className={table['actions']}>{actions(record)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const classes = (isNumber: boolean | undefined, other: string | undefined) =>
  [isNumber && table['number'], other].filter(Boolean).join(' ') || undefined
