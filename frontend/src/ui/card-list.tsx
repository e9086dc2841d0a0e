import type { PageOf } from '@parley/contracts/core/records'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { explain } from '../lib/explain.ts'
import { useRetry } from '../lib/use-retry.ts'
import cards from './cards.module.css'
import { type ChangePage, CursorPager, firstPage, useFirstPageWhenGone } from './cursor-pager.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { type FilterGroup, FilterMenu } from './filter-menu.tsx'
import { ListBar } from './list-bar.tsx'
import { SearchField } from './search-field.tsx'
import { SkeletonBlocks } from './skeleton.tsx'

/** Cards of a whole page. */
export const cardPageSize = 24

interface Props<R> {
  list: Pick<UseQueryResult<PageOf<R>>, 'data' | 'error' | 'isFetching'>
  /** List state in the address. */
  url: { readonly q?: string | undefined; readonly cursor?: string | undefined; readonly page?: number | undefined }
  change: (patch: { q?: string | undefined } & ChangePage, how?: { replace?: boolean }) => void
  /** One of them: `campaign`. Its plural has an s. */
  what: string
  /** The name of a group is its parameter in the address. */
  filters: readonly FilterGroup[]
  /** Stands in place of everything while there is not one. */
  empty: ReactNode
  /** Text where they could not be loaded and the server gave no reason. */
  failure: string
  /** Height without its row of buttons, which are higher for fingers. */
  cardHeight: string
  card: (record: R) => ReactNode
}

/** Records as cards, with search, filters, pages and every state. */
export function CardList<R>(props: Props<R>) {
  const { list, url, change, what, filters, empty } = props
  useFirstPageWhenGone(list.data, url.cursor, change)
  const filtered = Boolean(url.q) || filters.some(({ chosen }) => chosen.length > 0)
  if (list.data?.total === 0 && !filtered) return empty
  return (
    <>
      <ListBar>
        <SearchField
          label={`Search ${what}s`}
          value={url.q ?? ''}
          onSearch={(q) => change({ q, ...firstPage }, { replace: true })}
        />
        <FilterMenu groups={filters} onChange={(chosen) => change({ ...chosen, ...firstPage })} />
      </ListBar>
      <Cards {...props} />
    </>
  )
}

function Cards<R>({ list, url, change, what, filters, failure, cardHeight, card }: Props<R>) {
  const { data, error, isFetching } = list
  const retry = useRetry()
  if (error && !data && !isFetching)
    return <ErrorState title={`The ${what}s could not be loaded`} message={explain(error, failure)} onRetry={retry} />
  if (!data)
    return <SkeletonBlocks count={6} height={`calc(${cardHeight} + var(--control-height))`} className={cards['grid']} />
  if (data.total === 0) {
    const none = Object.fromEntries(filters.map(({ name }) => [name, undefined]))
    return (
      <EmptyState
        title={`No ${what}s match`}
        message="Try other words, or fewer filters."
        action={<Button onClick={() => change({ q: undefined, ...none, ...firstPage })}>Clear filters</Button>}
      />
    )
  }
  return (
    <>
      <ul className={cards['grid']} aria-label={`${what.slice(0, 1).toUpperCase()}${what.slice(1)}s`}>
        {data.items.map(card)}
      </ul>
      <CursorPager list={data} size={cardPageSize} page={url.page} what={what} onGo={change} />
    </>
  )
}
