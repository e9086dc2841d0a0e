import type { Message } from '@parley/contracts/conversations'

/** What stands in a thread, one below the other. */
export type ThreadEntry =
  | { readonly kind: 'day'; readonly key: string; readonly label: string }
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

/** `Today`, `Yesterday`, or the date; with the year where it is not this one. */
export function dayLabel(at: Date, now: Date, timeZone: string, locale?: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  const key = day.format(at)
  if (key === day.format(now)) return 'Today'
  if (key === day.format(new Date(now.getTime() - dayMs))) return 'Yesterday'
  const sameYear = key.slice(0, 4) === day.format(now).slice(0, 4)
  return new Intl.DateTimeFormat(locale, {
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
export function groupByDay(
  messages: readonly Message[],
  { now, timeZone, locale }: { now: Date; timeZone: string; locale?: string },
): ThreadEntry[] {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  const reactions = reactionsOf(messages)
  const entries: ThreadEntry[] = []
  let today = ''
  let previous: Message | undefined
  for (const message of messages) {
    if (message.content.type === 'reaction' && reactions.has(message.content.to)) continue
    const at = new Date(message.sentAt)
    const key = day.format(at)
    if (key !== today) {
      entries.push({ kind: 'day', key: `day-${key}`, label: dayLabel(at, now, timeZone, locale) })
      previous = undefined
    }
    today = key
    entries.push({
      kind: 'message',
      key: message.id,
      message,
      reactions: reactions.get(message.id) ?? [],
      follows: previous?.direction === message.direction && at.getTime() - Date.parse(previous.sentAt) <= followMs,
    })
    previous = message
  }
  return entries
}

function reactionsOf(messages: readonly Message[]): Map<string, string[]> {
  const present = new Set(messages.map(({ id }) => id))
  const reactions = new Map<string, string[]>()
  for (const { content } of messages)
    if (content.type === 'reaction' && present.has(content.to))
      reactions.set(content.to, [...(reactions.get(content.to) ?? []), content.emoji])
  return reactions
}
