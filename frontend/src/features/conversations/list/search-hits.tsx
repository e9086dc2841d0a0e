import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../../lib/api.ts'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { Link, useSearchParams } from '../../../lib/navigation.ts'
import { conversationKeys } from '../../../lib/query-keys.ts'
import { fullTime, relativeTime } from '../../../lib/relative-time.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { quotedText } from './preview-text.ts'
import styles from './search-hits.module.css'

const start = (): string | undefined => undefined

/** Messages that hold the words, the newest first. */
export const searchOptions = (q: string, conversation?: string) =>
  infiniteQueryOptions({
    queryKey: conversationKeys.search(q, conversation),
    queryFn: ({ pageParam, signal }) =>
      call(messagesApi.search, { query: { q, conversation, cursor: pageParam }, signal, timeoutMs: 30_000 }),
    initialPageParam: start(),
    getNextPageParam: ({ nextCursor }): string | undefined => nextCursor ?? undefined,
    staleTime: 0,
  })

interface Props {
  q: string
  /** Looks in this conversation only. */
  conversation?: string
  onOpen?: (conversationId: string) => void
  /** Searches names and numbers instead; offered where no message is found. */
  onNames?: () => void
}

/** Messages that hold the words, the newest first, each leading to its place in its thread. */
export function SearchHits({ q, conversation, onOpen, onNames }: Props) {
  const search = useInfiniteQuery(searchOptions(q, conversation))
  const { now, timeZone } = useClock(search.dataUpdatedAt)
  const [parameters] = useSearchParams()
  const linkTo = (id: string, messageId: string) => {
    const next = new URLSearchParams(parameters)
    next.set('id', id)
    next.set('message', messageId)
    for (const name of ['contact', 'panel', 'dialog', 'about']) next.delete(name)
    return `?${next}`
  }
  if (search.isLoadingError)
    return <ErrorState message="The messages could not be searched." onRetry={() => void search.refetch()} />
  if (!search.data) return <Loading />
  const hits = search.data.pages.flatMap(({ items }) => items)
  const searchedTo = search.data.pages.at(-1)?.searchedTo
  return (
    <div className={styles['scroller']}>
      {hits.length === 0 && !search.hasNextPage && (
        <p className={styles['none']}>
          No message has “{q}”. {onNames && <Button onClick={onNames}>Search names and numbers</Button>}
        </p>
      )}
      <ul className={styles['hits']} aria-label="Messages found">
        {hits.map(({ message, conversation: { id, contact } }) => {
          const at = new Date(message.sentAt)
          return (
            <li key={message.id}>
              <Link to={linkTo(id, message.id)} className={styles['hit'] ?? ''} onClick={() => onOpen?.(id)}>
                <span className={styles['line']}>
                  <b dir="auto">{message.direction === 'inbound' ? contact.name : `To ${contact.name}`}</b>
                  <time dateTime={message.sentAt} title={fullTime(at, timeZone)}>
                    {relativeTime(at, now, timeZone)}
                  </time>
                </span>
                <span className={styles['text']} dir="auto">
                  <Marked text={searchedText(message.content)} words={q} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {search.hasNextPage && (
        <p className={styles['none']}>
          {searchedTo &&
            `Searched back to ${dateTimeFormat(undefined, { timeZone, dateStyle: 'medium' }).format(new Date(searchedTo))}. `}
          <Button size="small" loading={search.isFetchingNextPage} onClick={() => void search.fetchNextPage()}>
            Continue
          </Button>
        </p>
      )}
    </div>
  )
}

/** Leads to the messages that hold the words where no name or number does; nothing where there are none. */
export function InMessages({ q, onShow }: { q: string; onShow: () => void }) {
  const { data } = useInfiniteQuery(searchOptions(q))
  const found = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  if (found === 0) return null
  const more = data?.pages.at(-1)?.nextCursor ? ' or more' : ''
  return (
    <Button type="primary" onClick={onShow}>
      {found === 1 && !more ? `1 message contains “${q}”` : `${found}${more} messages contain “${q}”`}
    </Button>
  )
}

/** Returns all words that a message may have been found by, in one line. */
const searchedText = (content: MessageContent): string =>
  [
    quotedText(content),
    ...(content.type === 'template' ? (content.cards ?? []).flatMap((card) => card.text ?? []) : []),
  ].join(' · ')

const shownBefore = 40
const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A text in one line with the words that were looked for marked, beginning shortly before the first of them. */
function Marked({ text, words }: { text: string; words: string }) {
  const wanted = words.split(/\s+/).filter((word) => word !== '')
  const pattern = new RegExp(`(${wanted.map(escaped).join('|')})`, 'giu')
  const first = text.search(pattern)
  const start = first > shownBefore ? first - shownBefore : 0
  let at = start
  return (
    <>
      {start > 0 && '…'}
      {text
        .slice(start)
        .split(pattern)
        .map((part, index) => {
          const key = at
          at += part.length
          return index % 2 === 1 ? <mark key={key}>{part}</mark> : <span key={`-${key}`}>{part}</span>
        })}
    </>
  )
}
