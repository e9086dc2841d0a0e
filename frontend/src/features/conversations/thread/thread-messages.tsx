import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { counted } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { dayIn, groupByDay, type ThreadEntry, type Unread } from './day-groups.ts'
import { MessageBubble } from './message-bubble.tsx'
import type { MessageActions } from './message-menu.tsx'
import styles from './thread-messages.module.css'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { type Thread, useThread } from './use-thread.ts'

/** Distance from the end, in pixels, that counts as reading the newest message. */
const nearEnd = 80
/** Number of entries before the beginning of the read ones at which older messages are requested. */
const readAhead = 12

export interface ThreadHandle {
  toNewest: () => void
}

interface Props extends MessageActions {
  ref: Ref<ThreadHandle>
  conversation: Conversation
  /** Customer messages that were unread when the thread was opened. */
  unread: Unread | undefined
  /** The message that is to be in view. */
  wanted: string | undefined
  /** Shows another one; none: the end. */
  onWant: (messageId: string | undefined) => void
}

/** The messages of a conversation by day; more are read while one scrolls, without anything moving. */
export function ThreadMessages({ conversation, wanted, ...props }: Props) {
  const { thread, failed, retry } = useThread(conversation.id, wanted)
  if (failed && !thread)
    return (
      <div className={styles['state']}>
        <ErrorState
          title="The messages could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={retry}
        />
      </div>
    )
  if (!thread) return <ThreadSkeleton />
  return <Messages key={thread.part} conversation={conversation} wanted={wanted} thread={thread} {...props} />
}

function Messages({
  ref,
  conversation,
  unread,
  wanted,
  onWant,
  thread,
  onReply,
  onPassport,
  onTemplate,
}: Props & { thread: Thread }) {
  const { messages, waiting, older, newer, part } = thread
  const { now, timeZone } = useClock(thread.readAt)
  const today = dayIn(timeZone, now)
  const scroller = useRef<HTMLDivElement>(null)
  const entries = useMemo(
    () => groupByDay(messages, { today, timeZone, unread: part === '' ? unread : undefined }),
    [messages, today, timeZone, unread, part],
  )
  const byId = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages])
  const [placed, setPlaced] = useState(false)
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(entries[index]),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 16,
    anchorTo: 'end',
    followOnAppend: !newer.any,
    scrollEndThreshold: nearEnd,
  })
  const rows = virtualizer.getVirtualItems()
  const target = entries.findIndex((entry) => entry.kind === 'message' && entry.message.id === wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its place changes as more is read, which is no wish to see it again.
  useLayoutEffect(() => {
    if (target === -1) virtualizer.scrollToEnd()
    else virtualizer.scrollToIndex(target, { align: 'center' })
    setPlaced(true)
  }, [virtualizer, wanted])

  const first = rows[0]?.index ?? 0
  const wantsOlder = placed && older.any && !older.pending && !older.failed && first < readAhead
  const { load } = older
  useEffect(() => {
    if (wantsOlder) load()
  }, [wantsOlder, load])
  const last = rows.at(-1)?.index ?? 0
  const wantsNewer = placed && newer.any && !newer.pending && !newer.failed && last >= entries.length - readAhead
  const { load: loadNewer } = newer
  useEffect(() => {
    if (wantsNewer) loadNewer()
  }, [wantsNewer, loadNewer])

  useStayingAtEnd(scroller, virtualizer)

  const newest = messages.at(-1)?.id
  const atEnd = !newer.any && (!placed || virtualizer.isAtEnd(nearEnd))
  const toNewest = () => (part === '' ? virtualizer.scrollToEnd() : onWant(undefined))
  const [seen, setSeen] = useState(newest)
  if (atEnd && seen !== newest) setSeen(newest)
  const unseen = seen === newest ? 0 : messages.length - 1 - messages.findIndex(({ id }) => id === seen)
  useImperativeHandle(ref, () => ({ toNewest }))

  return (
    <div className={styles['frame']}>
      <section
        ref={scroller}
        className={styles['scroller']}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        role="log"
        aria-label="Messages"
        // Scrolling back adds older messages to the page, which are no news.
        aria-live={atEnd ? 'polite' : 'off'}
      >
        {older.pending && (
          <p className={styles['older']} role="status">
            Loading...
          </p>
        )}
        {older.failed && (
          <p className={styles['older']} role="alert">
            Older messages could not be loaded.{' '}
            <button type="button" onClick={load}>
              Retry
            </button>
          </p>
        )}
        {entries.length === 0 && (
          <p className={styles['none']}>No messages yet. Send a template to begin the conversation.</p>
        )}
        <ol className={styles['entries']} style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, key, start }) => {
            const entry = entries[index]
            if (!entry) return null
            const answered = entry.kind === 'message' ? byId.get(entry.message.replyTo ?? '') : undefined
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {entry.kind === 'day' && <h3 className={styles['day']}>{entry.label}</h3>}
                {entry.kind === 'unread' && <p className={styles['unread']}>{entry.label}</p>}
                {entry.kind === 'message' && (
                  <MessageBubble
                    message={entry.message}
                    waiting={waiting.find(({ clientId }) => clientId === entry.message.clientId)}
                    reactions={entry.reactions}
                    follows={entry.follows}
                    contactName={conversation.contact.name}
                    contactId={conversation.contact.id}
                    answered={answered}
                    wanted={entry.message.id === wanted}
                    onJump={onWant}
                    onReply={onReply}
                    onPassport={onPassport}
                    onTemplate={onTemplate}
                    timeZone={timeZone}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </section>
      {!atEnd && (
        <button type="button" className={styles['newest']} onClick={toNewest}>
          <ArrowDownOutlined aria-hidden /> {unseen > 0 ? counted(unseen, 'new message') : 'Newest messages'}
        </button>
      )}
    </div>
  )
}

/** Keeps the newest message in view when the composer grows or a keyboard slides in. */
function useStayingAtEnd(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: { isAtEnd: (threshold: number) => boolean; scrollToEnd: () => void },
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let heightPx = element.clientHeight
    const observer = new ResizeObserver(() => {
      const lostPx = heightPx - element.clientHeight
      heightPx = element.clientHeight
      if (lostPx > 0 && virtualizer.isAtEnd(nearEnd + lostPx)) virtualizer.scrollToEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, virtualizer])
}

/** Estimates an entry's height, near enough for the scroll bar until it is measured. */
function estimate(entry: ThreadEntry | undefined): number {
  if (entry?.kind !== 'message') return 44
  const { content } = entry.message
  if (content.type === 'image' || content.type === 'video') return 320
  if (content.type === 'audio') return 84
  if (content.type === 'order') return 110 + content.items.length * 25
  return 'text' in content ? 60 + Math.ceil(Math.min(content.text.length, 640) / 56) * 21 : 84
}
