import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useCallback, useRef } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton, SkeletonBar } from '../../ui/skeleton.tsx'
import { conversationListOptions } from './api.ts'
import { ConversationRows, type RowsHandle } from './conversation-rows.tsx'
import styles from './list-pane.module.css'
import { type ChangeInboxUrl, type InboxUrl, shows } from './url.ts'

const showLabels = { all: 'All', unread: 'Unread', open: 'Open', closed: 'Closed' } as const

interface Props {
  url: InboxUrl
  change: ChangeInboxUrl
  selectedId: string | undefined
  onOpen: (id: string) => void
}

/** The left pane: search, filter, conversations. */
export function ListPane({ url: { q, show }, change, selectedId, onOpen }: Props) {
  const list = useInfiniteQuery(conversationListOptions({ q, show }))
  const rows = useRef<RowsHandle>(null)
  const search = useCallback((text: string) => change({ q: text }, { replace: true }), [change])
  const clear = () => change({ q: undefined, show: undefined })
  const conversations = list.data?.pages.flatMap(({ items }) => items) ?? []
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
        <SearchField label="Search conversations" value={q ?? ''} onSearch={search} />
        <fieldset className={styles['chips']} aria-label="Show">
          {shows.map((value) => (
            <button
              key={value}
              type="button"
              className={styles['chip']}
              aria-pressed={(show ?? 'all') === value}
              onClick={() => change({ show: value === 'all' ? undefined : value })}
            >
              {showLabels[value]}
            </button>
          ))}
        </fieldset>
      </div>
      {list.isError && !list.data && !list.isFetching ? (
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
          <p className={styles['none']}>{q ? `Nothing matches “${q}”.` : 'There is nothing here.'}</p>
          <Button onClick={clear}>Clear filters</Button>
        </div>
      ) : (
        <ConversationRows
          key={`${q} ${show}`}
          ref={rows}
          conversations={conversations}
          total={list.data.pages.at(-1)?.total ?? conversations.length}
          readAt={list.dataUpdatedAt}
          selectedId={selectedId}
          onOpen={onOpen}
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

function ListSkeleton() {
  return (
    <Skeleton className={styles['skeleton']}>
      {Array.from({ length: 9 }, (_, index) => index).map((place) => (
        <div key={place} className={styles['waiting']}>
          <SkeletonBar width="40px" height="40px" round />
          <div>
            <SkeletonBar width={`${45 + ((place * 13) % 30)}%`} height="13px" />
            <SkeletonBar width={`${60 + ((place * 17) % 35)}%`} height="12px" />
          </div>
        </div>
      ))}
    </Skeleton>
  )
}
