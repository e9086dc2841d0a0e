import { sparklinePath } from './sparkline-path.ts'
import styles from './stat-cards.module.css'

const width = 120
const height = 36

/** The course of a value as a line. The card's number and trend say the same in words. */
export function Sparkline({ values, from }: { values: readonly number[]; from?: number | undefined }) {
  const { line, area } = sparklinePath(values, { width, height, from })
  return (
    <svg
      className={styles['sparkline']}
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles['area']} d={area} />
      <path className={styles['line']} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
