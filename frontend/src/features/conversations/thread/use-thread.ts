import type { Message } from '@parley/contracts/inbox/messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { messagesAroundOptions, messagesOptions } from '../api.ts'
import { asMessage, type Waiting } from '../list/waiting.ts'
import { messagesOf, useLiveThread } from './live-thread.ts'

interface More {
  readonly any: boolean
  readonly pending: boolean
  readonly failed: boolean
  readonly load: () => void
}

export interface Thread {
  /** Part of the conversation: its end, or the messages around one. */
  readonly part: string
  readonly messages: readonly Message[]
  readonly waiting: readonly Waiting[]
  readonly readAt: number
  readonly older: More
  /** Newer messages; only around a message. */
  readonly newer: More
}

/** The end of a conversation; or the part around a message that is further back, for as long as that is asked for. */
export function useThread(id: string, wanted: string | undefined) {
  const { newer, waiting } = useLiveThread(id)
  const end = useInfiniteQuery(messagesOptions(id))
  const isAtEnd = useMemo(
    () => !wanted || !end.data || messagesOf(end.data, newer).some((message) => message.id === wanted),
    [wanted, end.data, newer],
  )
  const around = useInfiniteQuery({ ...messagesAroundOptions(id, wanted ?? ''), enabled: !isAtEnd })
  // A link to a message that is not there leads to the end of its conversation.
  const query = isAtEnd || around.isLoadingError ? end : around
  const { data } = query
  const messages = useMemo(() => {
    if (!data) return undefined
    const ended = !data.pages[0]?.previousCursor
    return [...messagesOf(data, newer), ...(ended ? waiting.map(asMessage) : [])]
  }, [data, newer, waiting])
  const thread: Thread | undefined = messages && {
    part: query === end ? '' : (wanted ?? ''),
    messages,
    waiting,
    readAt: query.dataUpdatedAt,
    older: {
      any: query.hasNextPage,
      pending: query.isFetchingNextPage,
      failed: query.isFetchNextPageError,
      load: () => void query.fetchNextPage(),
    },
    newer: {
      any: query.hasPreviousPage,
      pending: query.isFetchingPreviousPage,
      failed: query.isFetchPreviousPageError,
      load: () => void query.fetchPreviousPage(),
    },
  }
  return { thread, failed: query.isLoadingError && !query.isFetching, retry: () => void query.refetch() }
}
