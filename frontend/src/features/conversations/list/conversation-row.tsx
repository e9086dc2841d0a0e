import StopOutlined from '@ant-design/icons/StopOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { Link } from '../../../lib/navigation.ts'
import { fullTime, relativeTime } from '../../../lib/relative-time.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
import { conversationFields } from '../composer/seed-fields.ts'
import { Ticks } from '../thread/ticks.tsx'
import styles from './conversation-row.module.css'
import { DueBadge } from './due-badge.tsx'

/** Height of a row in pixels. */
export const rowHeight = 72

interface Props {
  conversation: Conversation
  to: string
  selected: boolean
  /** The one row that Tab reaches; the arrow keys lead on. */
  reachable: boolean
  clock: { now: Date; timeZone: string }
  onOpen: () => void
  onFocus: () => void
}

/** Initials, name, last message, time and how many messages are unread. */
export function ConversationRow({ conversation, to, selected, reachable, clock, onOpen, onFocus }: Props) {
  const { name, lastMessage, timestamp, unread } = conversationFields(conversation)
  const { direction, status } = conversation.lastMessage
  const at = new Date(timestamp)
  return (
    <Link
      to={to}
      className={styles['row'] ?? ''}
      aria-current={selected ? 'true' : undefined}
      data-unread={unread > 0 || undefined}
      tabIndex={reachable ? 0 : -1}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onOpen()
      }}
      onFocus={onFocus}
    >
      <Avatar name={name} letters={2} />
      <span className={styles['words']}>
        <span className={styles['line']}>
          <span className={styles['name']} dir="auto">
            {name}
          </span>
          <time className={styles['time']} dateTime={timestamp} title={fullTime(at, clock.timeZone)}>
            {relativeTime(at, clock.now, clock.timeZone)}
          </time>
        </span>
        <span className={styles['line']}>
          {direction === 'outbound' && status && <Ticks status={status} />}
          <span className={styles['text']} dir="auto">
            {lastMessage ? <WhatsAppText text={lastMessage} /> : 'No messages yet'}
          </span>
          <DueBadge conversation={conversation} {...clock} />
          {conversation.contact.optedOut && (
            <span className={styles['out']} title="Opted out of marketing">
              <StopOutlined aria-hidden />
              <span className="visually-hidden">Opted out of marketing</span>
            </span>
          )}
          {unread > 0 && (
            <span className={styles['unread']}>
              {unread > 99 ? '99+' : unread}
              <span className="visually-hidden"> unread</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}
