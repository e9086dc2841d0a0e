import FormOutlined from '@ant-design/icons/FormOutlined'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SampleDataLine } from '../../../ui/sample-data.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import { conversationListOptions } from '../api.ts'
import { type ChangeInboxUrl, type InboxUrl, listFilterOf, noFilters } from '../url.ts'
import { ConversationRows, type RowsHandle } from './conversation-rows.tsx'
import styles from './list-pane.module.css'
import { ViewChips } from './view-chips.tsx'

/** Filters are large, and not what one looks at first. */
const ListFilters = lazy(async () => ({ default: (await import('./list-filters.tsx')).ListFilters }))
const SearchHits = lazy(async () => ({ default: (await import('./search-hits.tsx')).SearchHits }))
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))
const InMessages = lazy(async () => ({ default: (await import('./search-hits.tsx')).InMessages }))
/** Shorter words would find nearly every message. */
const minSearch = 2

interface Props {
  url: InboxUrl
  change: ChangeInboxUrl
  selectedId: string | undefined
  onOpen: (id: string) => void
}

/** Conversations that can be selected at a time. */
const maxPicked = 100
interface Selection {
  /** Filter of the list in which they are selected. */
  readonly filterKey: string
  readonly ids: ReadonlySet<string>
}

/** The left pane: search, views, filters, conversations. */
export function ListPane({ url, change, selectedId, onOpen }: Props) {
  const { q } = url
  const filter = listFilterOf(url)
  const list = useInfiniteQuery(conversationListOptions(filter))
  const rows = useRef<RowsHandle>(null)
  const search = useCallback((text: string) => change({ q: text, in: undefined }, { replace: true }), [change])
  const clear = () => change(noFilters)
  const conversations = list.data?.pages.flatMap(({ items }) => items) ?? []
  const mayChange = !useIsRefused('conversations:write')
  const filterKey = JSON.stringify(filter)
  const [selection, setSelection] = useState<Selection>()
  // Rows of another filter were not selected.
  const picked = selection?.filterKey === filterKey ? selection.ids : undefined
  const chosen = conversations.filter(({ id }) => picked?.has(id))
  const pick = (ids: readonly string[], isPicked: boolean) => {
    const others = [...(picked ?? [])].filter((id) => !ids.includes(id))
    const next = isPicked ? [...others, ...ids].slice(0, maxPicked) : others
    setSelection(next.length > 0 ? { filterKey, ids: new Set(next) } : undefined)
  }
  const searchable = q !== undefined && q.length >= minSearch ? q : undefined
  const inMessages = searchable !== undefined && url.in === 'messages'
  return (
    <section className={styles['pane']} aria-label="Conversation list">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: from the search field the arrow leads into the list. */}
      <div
        className={styles['top']}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
          event.preventDefault()
          rows.current?.focusFirst()
        }}
      >
        <SampleDataLine />
        <div className={styles['searchRow']}>
          <SearchField label="Search conversations" value={q ?? ''} onSearch={search} />
          {mayChange && (
            <IconButton label="New conversation" title="New conversation" onClick={() => change({ new: '1' })}>
              <FormOutlined aria-hidden />
            </IconButton>
          )}
        </div>
        {searchable !== undefined && <SearchedIn inMessages={inMessages} onChange={(where) => change({ in: where })} />}
        {!inMessages && (
          <>
            <ViewChips shown={filter.show} onShow={(show) => change({ show })} />
            <Suspense fallback={<div className={styles['filters']} />}>
              {picked ? (
                <BulkBar chosen={chosen} onClear={() => setSelection(undefined)} />
              ) : (
                <ListFilters
                  url={url}
                  change={change}
                  onSelect={mayChange ? () => setSelection({ filterKey, ids: new Set() }) : undefined}
                />
              )}
            </Suspense>
          </>
        )}
      </div>
      {inMessages ? (
        <Suspense fallback={<ListSkeleton />}>
          <SearchHits key={searchable} q={searchable} onOpen={onOpen} onNames={() => change({ in: undefined })} />
        </Suspense>
      ) : list.isLoadingError && !list.isFetching ? (
        <div className={styles['state']}>
          <ErrorState
            title="The conversations could not be loaded"
            message="Nothing is lost. Check your connection and try again."
            onRetry={() => void list.refetch()}
          />
        </div>
      ) : !list.data ? (
        <ListSkeleton />
      ) : conversations.length === 0 ? (
        <div className={styles['state']}>
          <p className={styles['none']}>{noneLine(url)}</p>
          {searchable !== undefined && (
            <Suspense>
              <InMessages q={searchable} onShow={() => change({ in: 'messages' })} />
            </Suspense>
          )}
          {isUnfiltered(url) ? (
            <Button onClick={() => change({ show: 'all' })}>Show all conversations</Button>
          ) : (
            <Button onClick={clear}>Clear filters</Button>
          )}
        </div>
      ) : (
        <ConversationRows
          key={filterKey}
          ref={rows}
          conversations={conversations}
          total={list.data.pages.at(-1)?.total ?? conversations.length}
          leftOut={list.data.pages.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)}
          readAt={list.dataUpdatedAt}
          selectedId={selectedId}
          onOpen={onOpen}
          picked={picked}
          onPick={mayChange ? pick : undefined}
          more={{
            any: list.hasNextPage,
            pending: list.isFetchingNextPage,
            failed: list.isFetchNextPageError,
            load: () => void list.fetchNextPage(),
          }}
        />
      )}
    </section>
  )
}

const isUnfiltered = (url: InboxUrl) =>
  Object.entries(url).every(([name, value]) => !value || !Object.hasOwn(noFilters, name))

function noneLine(url: InboxUrl): string {
  if (url.q) return `Nothing matches “${url.q}”.`
  return isUnfiltered(url) ? 'No conversation is open.' : 'There is nothing here.'
}

/** Selects where to search. */
function SearchedIn({
  inMessages,
  onChange,
}: {
  inMessages: boolean
  onChange: (where: 'messages' | undefined) => void
}) {
  return (
    <fieldset className={styles['chips']} aria-label="Search in">
      <button
        type="button"
        className={styles['chip']}
        aria-pressed={!inMessages}
        onClick={() => inMessages && onChange(undefined)}
      >
        Names and numbers
      </button>
      <button
        type="button"
        className={styles['chip']}
        aria-pressed={inMessages}
        onClick={() => !inMessages && onChange('messages')}
      >
        Messages
      </button>
    </fieldset>
  )
}

function ListSkeleton() {
  return (
    <Skeleton className={styles['skeleton']}>
      {Array.from({ length: 9 }, (_, index) => index).map((row) => (
        <div key={row} className={styles['waiting']}>
          <SkeletonBar width="40px" height="40px" round />
          <div>
            <SkeletonBar width={`${45 + ((row * 13) % 30)}%`} height="13px" />
            <SkeletonBar width={`${60 + ((row * 17) % 35)}%`} height="12px" />
          </div>
        </div>
      ))}
    </Skeleton>
  )
}
