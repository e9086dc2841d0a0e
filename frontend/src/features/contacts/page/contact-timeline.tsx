import { contactTimelineApi, type TimelinePage } from '@parley/contracts/contacts/contact-timeline'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import page from './contact-page.module.css'
import styles from './contact-timeline.module.css'
import { TimelineEntry } from './timeline-entry.tsx'

/** Shows a contact's events beside the messages, the newest first. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const clock = useClock(0)
  const { data, isLoadingError, isFetching, refetch, ...earlier } = useInfiniteQuery(timelineOptions(contactId))
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = earlier
  const items = data?.pages.flatMap((one) => one.items) ?? []
  const { list, keepFocus } = useFocusOnNext(items.length, hasNextPage)

  function showEarlier(): void {
    keepFocus()
    void fetchNextPage()
  }

  return (
    <section className={`${page['card']} ${page['below']}`} aria-labelledby="contact-timeline">
      <h2 id="contact-timeline" className={page['title']}>
        Activity
      </h2>
      {data ? (
        <ol ref={list} className={styles['list']}>
          {items.map((item) => (
            <TimelineEntry key={item.id} item={item} clock={clock} />
          ))}
        </ol>
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The activity could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="240px" />
      )}
      {isFetchNextPageError && <p role="alert">Earlier activity could not be loaded. Try again.</p>}
      {hasNextPage && (
        <div>
          <Button loading={isFetchingNextPage} onClick={showEarlier}>
            Show earlier
          </Button>
        </div>
      )}
    </section>
  )
}

/** Moves the focus: with the last page the focused button is gone, and the first item of that page gets the focus. */
function useFocusOnNext(count: number, hasNextPage: boolean) {
  const list = useRef<HTMLOListElement>(null)
  const next = useRef<number>(undefined)
  useEffect(() => {
    const index = next.current
    if (index === undefined || index >= count) return
    next.current = undefined
    const item = list.current?.children[index]
    if (!hasNextPage && item instanceof HTMLElement) item.focus()
  }, [count, hasNextPage])
  const keepFocus = () => {
    next.current = count
  }
  return { list, keepFocus }
}

/** Reads a contact's events; pages lead back in time. */
const timelineOptions = (contactId: string) =>
  infiniteQueryOptions({
    queryKey: contactKeys.timeline(contactId),
    queryFn: ({ pageParam, signal }) =>
      call(contactTimelineApi.read, {
        params: { id: contactId },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: TimelinePage) => nextCursor,
  })
