import { Button } from 'antd'
import styles from './pager.module.css'

const count = new Intl.NumberFormat('en-US')

/** Previous and Next under a list, and which part of it this is. */
export function Pager({
  first,
  shown,
  total,
  what,
  onPrevious,
  onNext,
}: {
  /** Place of the first record in view, from 1. */
  first: number
  shown: number
  total: number
  /** Plural: `contacts`. */
  what: string
  /** Absent on the first page. */
  onPrevious: (() => void) | undefined
  /** Absent on the last page. */
  onNext: (() => void) | undefined
}) {
  return (
    <nav className={styles['pager']} aria-label={`Pages of ${what}`}>
      <p aria-live="polite">
        {shown === 0 ? 'None' : `${count.format(first)}–${count.format(first + shown - 1)}`} of {count.format(total)}{' '}
        {what}
      </p>
      <div className={styles['buttons']}>
        <Button disabled={!onPrevious} onClick={onPrevious}>
          Previous
        </Button>
        <Button disabled={!onNext} onClick={onNext}>
          Next
        </Button>
      </div>
    </nav>
  )
}
