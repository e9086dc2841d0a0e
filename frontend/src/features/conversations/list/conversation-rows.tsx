import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useSearchParams } from '../../../lib/navigation.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { LeftOut } from '../../../ui/cursor-pager.tsx'
import { ConversationRow, rowHeight } from './conversation-row.tsx'
import styles from './conversation-rows.module.css'

/** Rows that are mounted beyond those in view, on each side. */
const overscan = 8
/** Number of rows before the end of the read ones at which the next page is requested. */
const readAhead = 15

export interface RowsHandle {
  focusFirst: () => void
}

interface Props {
  ref: Ref<RowsHandle>
  conversations: readonly Conversation[]
  /** Number of rows, including those not read yet. */
  total: number
  /** Number of read rows that cannot be shown. */
  leftOut: number
  readAt: number
  selectedId: string | undefined
  onOpen: (id: string) => void
  /** Ids of the rows that are selected; absent until a selection has begun. */
  picked: ReadonlySet<string> | undefined
  /** Selects the rows, or takes them out of the selection. Absent for members who may change nothing. */
  onPick: ((ids: readonly string[], isPicked: boolean) => void) | undefined
  more: { any: boolean; pending: boolean; failed: boolean; load: () => void }
}

/**
 * The conversations that are in view; the arrow keys, Home and End move through all of them. Space selects a row, Shift and a click on
 * a box all rows from the last one on, Escape none.
 */
export function ConversationRows({ ref, conversations, total, leftOut, readAt, selectedId, onOpen, ...props }: Props) {
  const { picked, onPick, more } = props
  const scroller = useRef<HTMLDivElement>(null)
  const clock = useClock(readAt)
  const [parameters] = useSearchParams()
  const [focused, setFocused] = useState<number>()
  const virtualizer = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => conversations[index]?.id ?? index,
    overscan,
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const wantsMore = more.any && !more.pending && !more.failed && last >= conversations.length - readAhead
  const { load } = more
  useEffect(() => {
    if (wantsMore) load()
  }, [wantsMore, load])

  const focusRow = (index: number) => {
    const target = Math.min(Math.max(index, 0), conversations.length - 1)
    virtualizer.scrollToIndex(target)
    // A row far away is mounted only after the list has moved; one that is here must not take the focus a second time.
    const focus = (frames: number) => {
      const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"] a`)
      if (link) link.focus({ preventScroll: true })
      else if (frames > 0) requestAnimationFrame(() => focus(frames - 1))
    }
    focus(10)
  }
  useImperativeHandle(ref, () => ({ focusFirst: () => focusRow(0) }))

  const lastPicked = useRef<number>(undefined)
  const pick = (index: number, isRange: boolean) => {
    const id = conversations[index]?.id
    if (!id || !onPick) return
    const from = isRange ? (lastPicked.current ?? index) : index
    const range = conversations.slice(Math.min(from, index), Math.max(from, index) + 1)
    onPick(
      range.map((conversation) => conversation.id),
      !picked?.has(id),
    )
    lastPicked.current = index
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const index = focused ?? conversations.findIndex(({ id }) => id === selectedId)
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      pick(Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index']), event.shiftKey)
    }
    if (event.key === 'Escape' && picked) onPick?.([...picked], false)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: conversations.length - 1 }[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    focusRow(to)
  }

  const linkTo = (id: string) => {
    const next = new URLSearchParams(parameters)
    next.set('id', id)
    for (const name of ['contact', 'panel', 'dialog', 'message', 'find', 'about']) next.delete(name)
    return `?${next}`
  }
  const wanted = focused ?? conversations.findIndex(({ id }) => id === selectedId)
  const reachable = rows.some(({ index }) => index === wanted) ? wanted : rows[0]?.index

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the links inside.
    <div ref={scroller} className={styles['scroller']} onKeyDown={onKeyDown} data-testid="conversation-scroller">
      <ul
        className={styles['rows']}
        aria-label="Conversations"
        data-picking={picked !== undefined || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {rows.map(({ index, key, start }) => {
          const conversation = conversations[index]
          if (!conversation) return null
          return (
            <li
              key={key}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {onPick && (
                <input
                  type="checkbox"
                  className={styles['box']}
                  aria-label={`Select ${conversation.contact.name}`}
                  tabIndex={-1}
                  checked={picked?.has(conversation.id) ?? false}
                  onChange={({ nativeEvent }) => pick(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
                />
              )}
              <ConversationRow
                conversation={conversation}
                to={linkTo(conversation.id)}
                selected={conversation.id === selectedId}
                reachable={index === reachable}
                clock={clock}
                onOpen={() => onOpen(conversation.id)}
                onFocus={() => setFocused(index)}
              />
            </li>
          )
        })}
      </ul>
      <LeftOut count={leftOut} what="conversation" />
      {more.failed && (
        <p className={styles['failed']} role="alert">
          More conversations could not be loaded.{' '}
          <button type="button" onClick={load}>
            Retry
          </button>
        </p>
      )}
      {more.pending && (
        <p className={styles['failed']} role="status">
          Loading...
        </p>
      )}
    </div>
  )
}
