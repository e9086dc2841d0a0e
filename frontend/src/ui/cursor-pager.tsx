import type { PageOf } from '@parley/contracts/records'
import { Pager } from './pager.tsx'

/** Previous and Next of a list by cursor; `page` is what the address says of the cursor's place. Nothing on a list of one page. */
export function CursorPager({
  list,
  size,
  page,
  what,
  onGo,
}: {
  list: PageOf<unknown>
  /** Items of a whole page. */
  size: number
  page: number | undefined
  /** Plural: `templates`. */
  what: string
  /** Both are `undefined` for the first page. */
  onGo: (to: { cursor: string | undefined; page: number | undefined }) => void
}) {
  const { items, total, nextCursor, previousCursor } = list
  if (nextCursor === null && previousCursor === null) return null
  const number = previousCursor === null ? 1 : (page ?? 2)
  const goTo = (cursor: string | null, to: number) => {
    if (cursor === null) return undefined
    return () => {
      onGo(to <= 1 ? { cursor: undefined, page: undefined } : { cursor, page: to })
      window.scrollTo({ top: 0 })
    }
  }
  return (
    <Pager
      first={(number - 1) * size + 1}
      shown={items.length}
      total={total}
      what={what}
      onPrevious={goTo(previousCursor, number - 1)}
      onNext={goTo(nextCursor, number + 1)}
    />
  )
}
