import type { Message } from '@parley/contracts/conversations'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { fullTime } from '../../lib/relative-time.ts'
import styles from './message-bubble.module.css'
import { MessageContent } from './message-content.tsx'
import { MessageState } from './message-state.tsx'
import { messageFields } from './seed-fields.ts'
import { Ticks } from './ticks.tsx'
import type { Waiting } from './waiting.ts'

const causes = { bot: 'Bot', campaign: 'Campaign', workflow: 'Workflow', api: 'API' } as const
const causeOf = ({ kind }: Message['cause']) => (kind === 'member' || kind === 'customer' ? undefined : causes[kind])

interface Props {
  message: Message
  /** Present until the server has taken it. */
  waiting: Waiting | undefined
  reactions: readonly string[]
  follows: boolean
  /** Whose words an inbound message is. */
  contactName: string
  /** The message that this one answers, where it has been read. */
  answered: Message | undefined
  answeredText: string
  timeZone: string
}

/** One message of a thread: what it holds, when, and what came of it (specification section 2, Conversations). */
export function MessageBubble({
  message,
  waiting,
  reactions,
  follows,
  contactName,
  answered,
  answeredText,
  timeZone,
}: Props) {
  const { content, isSent, timestamp, status } = messageFields(message)
  if (content.type === 'system') return <p className={styles['system']}>{content.text}</p>
  const at = new Date(timestamp)
  const note = message.direction === 'note'
  const side = note ? 'note' : isSent ? 'sent' : 'received'
  const bare = content.type === 'sticker'
  return (
    <div className={styles['message']} data-side={side} data-follows={follows || undefined}>
      <div className={styles['bubble']} data-bare={bare || undefined}>
        <span className="visually-hidden">{note ? 'Note' : isSent ? 'You' : contactName}: </span>
        {note && <p className={styles['label']}>Note for the team</p>}
        {isSent && causeOf(message.cause) && <p className={styles['label']}>{causeOf(message.cause)}</p>}
        {answered && (
          <blockquote className={styles['quote']} dir="auto">
            {answeredText}
          </blockquote>
        )}
        <MessageContent content={content} />
        <span className={styles['foot']}>
          <time dateTime={timestamp} title={fullTime(at, timeZone)}>
            {dateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(at)}
          </time>
          {isSent && (
            <Ticks
              status={status ?? (message.status === 'failed' || waiting?.state === 'failed' ? 'failed' : 'queued')}
            />
          )}
        </span>
        {reactions.length > 0 && (
          <span className={styles['reactions']}>
            <span className="visually-hidden">Reactions: </span>
            {reactions.join(' ')}
          </span>
        )}
      </div>
      <MessageState message={message} waiting={waiting} timeZone={timeZone} />
    </div>
  )
}
