import { defaultPageSize, type PageOf } from '@parley/contracts/core/records'

/**
 * One page of a list by keyset: a cursor names the record that the page begins after (`>id`) or ends before (`<id`), so
 * records that come and go meanwhile move no page. An unknown cursor gives the first page.
 * @param items everything that the filters match, in order.
 */
export function pageOf<T extends { id: string }>(
  items: readonly T[],
  { limit = defaultPageSize, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): PageOf<T> {
  const start = startOf(items, limit, cursor)
  const page = items.slice(start, start + limit)
  const [first, last] = [page[0], page.at(-1)]
  return {
    items: page,
    nextCursor: last && start + limit < items.length ? `>${last.id}` : null,
    previousCursor: first && start > 0 ? `<${first.id}` : null,
    total: items.length,
  }
}

function startOf(items: readonly { id: string }[], limit: number, cursor: string | undefined): number {
  const index = cursor ? items.findIndex(({ id }) => id === cursor.slice(1)) : -1
  if (index === -1) return 0
  return cursor?.startsWith('<') ? Math.max(0, index - limit) : index + 1
}
