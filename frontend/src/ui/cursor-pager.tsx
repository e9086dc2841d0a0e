import type { PageOf } from '@parley/contracts/core/records'
import { Button } from 'antd'
import { useEffect } from 'react'
import { formatCount } from '../lib/format.ts'
import styles from './cursor-pager.module.css'

/** Position of a list by cursor in the address: both are `undefined` on the first page. */
export interface ChangePage {
  cursor?: string | undefined
  page?: number | undefined
}

/** Parameters of the first page, with which other filters begin. */
export const firstPage = { cursor: undefined, page: undefined }

/** Shows the first page after everything on the last one has been deleted. */
export function useFirstPageWhenGone(
  list: PageOf<unknown> | undefined,
  cursor: string | undefined,
  change: (to: ChangePage, how: { replace: boolean }) => void,
): void {
  const isGone = list !== undefined && list.items.length === 0 && list.total > 0 && cursor !== undefined
  useEffect(() => {
    if (isGone) change(firstPage, { replace: true })
  }, [isGone, change])
}

/** Previous and Next of a list by cursor; `page` is what the address says of the cursor's place. */
export function CursorPager({
  list,
  size,
  page,
  what,
  always = false,
  onGo,
}: {
  list: PageOf<unknown>
  /** Items of a whole page. */
  size: number
  page: number | undefined
  /** One of them: `template`. Its plural has an s. */
  what: string
  /** Shows it for a list of one page, too. */
  always?: boolean
  onGo: (to: ChangePage) => void
}) {
  const { items, total, approximate, nextCursor, previousCursor, leftOut = 0 } = list
  const missing = <LeftOut count={leftOut} what={what} />
  if (!always && nextCursor === null && previousCursor === null) return missing
  const number = previousCursor === null ? 1 : (page ?? 2)
  const goTo = (cursor: string | null, to: number) => {
    if (cursor === null) return undefined
    return () => {
      onGo(to <= 1 ? firstPage : { cursor, page: to })
      window.scrollTo({ top: 0 })
    }
  }
  const first = (number - 1) * size + 1
  const range = items.length === 0 ? 'None' : `${formatCount(first)}–${formatCount(first + items.length - 1)}`
  const previous = goTo(previousCursor, number - 1)
  const next = goTo(nextCursor, number + 1)
  return (
    <>
      {missing}
      <nav className={styles['pager']} aria-label={`Pages of ${what}s`}>
        <p aria-live="polite">
          {total === 1 ? `1 ${what}` : `${range} of ${approximate ? 'about ' : ''}${formatCount(total)} ${what}s`}
        </p>
        <div className={styles['buttons']}>
          <Button disabled={!previous} onClick={previous}>
            Previous
          </Button>
          <Button disabled={!next} onClick={next}>
            Next
          </Button>
        </div>
      </nav>
    </>
  )
}

/** Says that a list goes without records of its own: a person would look for them. @param what one of them. */
export function LeftOut({ count, what }: { count: number; what: string }) {
  if (count === 0) return null
  return (
    <p className={styles['leftOut']} role="status">
      {count === 1 ? `1 ${what} cannot be shown here.` : `${formatCount(count)} ${what}s cannot be shown here.`} Nothing
      is lost. Reload the page; if that does not help, tell whoever runs Parley.
    </p>
  )
}
