import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { Button } from 'antd'
import { download } from '../../../lib/download.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { byteOrderMark, csvLine, lineEnd } from '../csv-cells.ts'
import type { RowProblem } from './check-row.ts'
import styles from './problem-list.module.css'

const mostShown = 50

/** Rows that are left out, each with line, value and reason; all of them as a file. */
export function ProblemList({ problems }: { problems: readonly RowProblem[] }) {
  if (problems.length === 0) return null
  const save = () =>
    download('import-problems.csv', [
      byteOrderMark,
      [['Line', 'Value', 'Reason'], ...problems.map(({ line, value, reason }) => [String(line), value, reason])]
        .map(csvLine)
        .join(lineEnd),
    ])
  return (
    <section className={styles['problems']} aria-label="Rows that are left out">
      <div className={styles['head']}>
        <h3 className={styles['title']}>{counted(problems.length, 'row')} left out</h3>
        <Button icon={<DownloadOutlined aria-hidden />} onClick={save}>
          Download as CSV
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul className={styles['list']} tabIndex={0} aria-label="Problems">
        {problems.slice(0, mostShown).map(({ line, value, reason }) => (
          <li key={line} className={styles['problem']}>
            <span className={styles['line']}>Line {line}</span>
            <span className={styles['reason']}>
              {reason} {value && <bdi className={styles['value']}>{value}</bdi>}
            </span>
          </li>
        ))}
      </ul>
      {problems.length > mostShown && (
        <p className={styles['line']}>
          The first {mostShown} of {formatCount(problems.length)}. Download the list to see them all.
        </p>
      )}
    </section>
  )
}
