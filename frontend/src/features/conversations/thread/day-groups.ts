import type { Message } from '@parley/contracts/inbox/messages'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted } from '../../../lib/format.ts'

/** Entry of a thread, from top to bottom. */
export type ThreadEntry =
  | { readonly kind: 'day'; readonly key: string; readonly label: string }
  | { readonly kind: 'unread'; readonly key: string; readonly label: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      /** Emoji with which messages have reacted to this one. */
      readonly reactions: readonly string[]
      /** The one before is by the same side, a few minutes earlier at most. */
      readonly follows: boolean
    }

const followMs = 5 * 60_000
const dayMs = 86_400_000

/** Customer messages that were unread when the thread was opened. */
export interface Unread {
  readonly count: number
  /** Time of the latest message when the groups were built: later ones move nothing. */
  readonly until: string
}

interface Calendar {
  /** The day now, as `dayIn` names it. */
  readonly today: string
  readonly timeZone: string
  readonly locale?: string
  /** A line stands before the first of them. */
  readonly unread?: Unread | undefined
}

/** The calendar day of a moment in a zone: `2026-03-14`. */
export const dayIn = (timeZone: string, at: Date): string => dateTimeFormat('en-CA', { timeZone }).format(at)

/** The day before, by the calendar: days on which clocks change are not 24 hours long. */
const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)

/** `Today`, `Yesterday`, or the date; with the year where it is not this one. */
export function dayLabel(at: Date, { today, timeZone, locale }: Calendar): string {
  const day = dayIn(timeZone, at)
  if (day === today) return 'Today'
  if (day === dayBefore(today)) return 'Yesterday'
  const sameYear = day.slice(0, 4) === today.slice(0, 4)
  return dateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(!sameYear && { year: 'numeric' }),
  }).format(at)
}

/**
 * The thread by day in the person's time zone. A reaction stands at the message that it is about; one whose message has
 * not been read yet stands by itself.
 * @param messages oldest first.
 */
export function groupByDay(messages: readonly Message[], calendar: Calendar): ThreadEntry[] {
  const reactions = reactionsOf(messages)
  const entries: ThreadEntry[] = []
  const firstUnread = calendar.unread && firstUnreadOf(messages, calendar.unread)
  let day = ''
  let previous: Message | undefined
  for (const message of messages) {
    if (message.content.type === 'reaction' && reactions.has(message.content.to)) continue
    const at = new Date(message.sentAt)
    const ownDay = dayIn(calendar.timeZone, at)
    if (ownDay !== day) {
      entries.push({ kind: 'day', key: `day-${ownDay}`, label: dayLabel(at, calendar) })
      previous = undefined
    }
    day = ownDay
    if (calendar.unread && message === firstUnread) {
      entries.push({ kind: 'unread', key: 'unread', label: counted(calendar.unread.count, 'unread message') })
      previous = undefined
    }
    entries.push({
      kind: 'message',
      // A message that was waiting here keeps its place when it becomes the server's.
      key: message.clientId ?? message.id,
      message,
      reactions: [...(message.reactions ?? []).map(({ emoji }) => emoji), ...(reactions.get(message.id) ?? [])],
      follows: previous?.direction === message.direction && at.getTime() - Date.parse(previous.sentAt) <= followMs,
    })
    previous = message
  }
  return entries
}

const isNews = ({ direction, content: { type } }: Message) =>
  direction === 'inbound' && type !== 'reaction' && type !== 'system'

function firstUnreadOf(messages: readonly Message[], { count, until }: Unread): Message | undefined {
  const latest = Date.parse(until)
  const there = messages.filter((message) => isNews(message) && Date.parse(message.sentAt) <= latest)
  return count > 0 ? there.at(-count) : undefined
}

function reactionsOf(messages: readonly Message[]): Map<string, string[]> {
  const present = new Set(messages.map(({ id }) => id))
  const reactions = new Map<string, string[]>()
  for (const { content } of messages)
    if (content.type === 'reaction' && present.has(content.to))
      reactions.set(content.to, [...(reactions.get(content.to) ?? []), content.emoji])
  return reactions
}
