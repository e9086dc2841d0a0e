import { type ReactNode, useId } from 'react'
import { Link } from '../../lib/navigation.ts'
import { Hint } from '../../ui/hint.tsx'
import table from '../../ui/table.module.css'
import styles from './analytics.module.css'

interface Row {
  readonly id: string
  readonly name: string
  /** Address of the item itself. */
  readonly to: string
  readonly cells: readonly ReactNode[]
}

/** A table of the best of something, and the way to all of them. */
export function PerformancePanel({
  title,
  formula,
  nameColumn,
  columns,
  rows,
  all,
  nothing,
}: {
  title: string
  /** Formula of its figures. */
  formula: string
  nameColumn: string
  columns: readonly string[]
  rows: readonly Row[]
  /** Target of View All, and the name of what it lists. */
  all: { readonly to: string; readonly what: string }
  nothing: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <div className={styles['panelHead']}>
        <h2 id={id}>
          <Hint text={formula}>{title}</Hint>
        </h2>
        <Link to={all.to} className={styles['all']}>
          View All<span className="visually-hidden"> {all.what}</span>
        </Link>
      </div>
      {rows.length === 0 ? (
        <p className={styles['nothing']}>{nothing}</p>
      ) : (
        <table className={`${table['table']} ${styles['plain']}`}>
          <thead>
            <tr>
              <th scope="col">{nameColumn}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={table['number']}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id: row, name, to, cells }) => (
              <tr key={row}>
                <th scope="row">
                  <Link to={to} className={styles['name']} title={name}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index]} className={table['number']} data-column={columns[index]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
