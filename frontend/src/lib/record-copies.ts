import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { RecordKeys } from './query-keys.ts'

interface Identified {
  readonly id: string
}
interface Page<R> {
  readonly items: readonly R[]
  readonly total?: number
}
type List<R> = Page<R> | { readonly pages: readonly Page<R>[] }

/** Position of a record in a list. */
interface Place {
  readonly queryKey: QueryKey
  readonly page: number
  readonly index: number
}

const pagesOf = <R>(list: List<R>): readonly Page<R>[] => ('pages' in list ? list.pages : [list])

const withPages = <R>(list: List<R>, pages: readonly Page<R>[]): List<R> =>
  'pages' in list ? { ...list, pages } : (pages[0] ?? list)

/** The keys of a domain hold its records and nothing else. */
const listsOf = <R extends Identified>(client: QueryClient, keys: RecordKeys): [QueryKey, List<R>][] =>
  client
    .getQueriesData<List<R>>({ queryKey: keys.lists })
    .flatMap(([queryKey, list]): [QueryKey, List<R>][] => (list ? [[queryKey, list]] : []))

/** Returns every copy of a record that the cache holds. */
export function copiesOf<R extends Identified>(client: QueryClient, keys: RecordKeys, id: string): R[] {
  const one = client.getQueryData<R>(keys.one(id))
  const listed = listsOf<R>(client, keys).flatMap(([, list]) => pagesOf(list).flatMap(({ items }) => items))
  return [...(one ? [one] : []), ...listed.filter((item) => item.id === id)]
}

/** Puts `record` in the place of each copy, or takes the copies out of the lists. */
export function replaceRecord(client: QueryClient, keys: RecordKeys, id: string, record: Identified | undefined): void {
  if (record) client.setQueryData<Identified>(keys.one(id), (known) => known && record)
  for (const [queryKey, list] of listsOf(client, keys)) {
    const pages = pagesOf(list)
    if (!pages.some(({ items }) => items.some((item) => item.id === id))) continue
    const next = pages.map((page) => ({
      ...page,
      items: page.items.flatMap((item) => (item.id === id ? (record ?? []) : item)),
      ...(!record && page.total !== undefined && { total: page.total - 1 }),
    }))
    client.setQueryData(queryKey, withPages(list, next))
  }
}

export function placesOf(client: QueryClient, keys: RecordKeys, id: string): Place[] {
  return listsOf(client, keys).flatMap(([queryKey, list]) =>
    pagesOf(list).flatMap(({ items }, page) => {
      const index = items.findIndex((item) => item.id === id)
      return index === -1 ? [] : [{ queryKey, page, index }]
    }),
  )
}

/** Puts a record back into the lists that it was taken out of, where it is not there again already. */
export function putBack(client: QueryClient, record: Identified, places: readonly Place[]): void {
  for (const { queryKey, page: at, index } of places) {
    const list = client.getQueryData<List<Identified>>(queryKey)
    if (!list || pagesOf(list).some(({ items }) => items.some(({ id }) => id === record.id))) continue
    const next = pagesOf(list).map((page, pageIndex) => ({
      ...page,
      ...(pageIndex === at && { items: page.items.toSpliced(index, 0, record) }),
      ...(page.total !== undefined && { total: page.total + 1 }),
    }))
    client.setQueryData(queryKey, withPages(list, next))
  }
}
