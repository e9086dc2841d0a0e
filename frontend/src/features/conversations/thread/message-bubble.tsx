import type { Message } from '@parley/contracts/inbox/messages'
import { writtenPhone } from '@parley/phone'
import { activityLabels, actorOf } from '@parley/rules/activity-labels'
import { lazy, Suspense } from 'react'
import { useMemberName } from '../../../lib/choices/members.ts'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { useOwnId } from '../../../lib/user.ts'
import { MessageButtons } from '../../../ui/message-buttons.tsx'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
import { messageFields } from '../composer/seed-fields.ts'
import { quotedText } from '../list/preview-text.ts'
import type { Waiting } from '../list/waiting.ts'
import styles from './message-bubble.module.css'
import { MessageContent } from './message-content.tsx'
import { type MessageActions, MessageMenu } from './message-menu.tsx'
import { MessageOrigin } from './message-origin.tsx'
import { MessageState } from './message-state.tsx'
import { Ticks } from './ticks.tsx'

/** Words of all languages are large. */
const OptOutLine = lazy(async () => ({ default: (await import('../composer/opt-out-line.tsx')).OptOutLine }))

const causes = {
  bot: 'Bot',
  campaign: 'Campaign',
  workflow: 'Workflow',
  api: 'API',
  phone_app: 'WhatsApp Business app',
  system: 'Automatic reply',
} as const
const causeOf = ({ kind }: Message['cause']) => (kind === 'member' || kind === 'customer' ? undefined : causes[kind])

const payments = { paid: 'Paid', failed: 'Payment failed', pending: 'Payment pending' } as const

interface Props extends MessageActions {
  message: Message
  /** State of sending; set until the server has accepted it. */
  waiting: Waiting | undefined
  reactions: readonly string[]
  follows: boolean
  /** Name of an inbound message's author. */
  contactName: string
  contactId: string
  /** The message that this one answers, where it has been read. */
  answered: Message | undefined
  timeZone: string
  /** True where the person went to this message. */
  wanted: boolean
  /** Shows another message. */
  onJump: (messageId: string) => void
}

/** One message of a thread: what it holds, when, and what came of it. */
export function MessageBubble({
  message,
  waiting,
  reactions,
  follows,
  contactName,
  contactId,
  answered,
  timeZone,
  wanted,
  onJump,
  onTemplate,
  ...actions
}: Props) {
  const { content, isSent, timestamp, status } = messageFields(message)
  if (content.type === 'system') return <ActivityLine message={message} content={content} timeZone={timeZone} />
  const at = new Date(timestamp)
  const note = message.direction === 'note'
  const side = note ? 'note' : isSent ? 'sent' : 'received'
  const bare = content.type === 'sticker' && !note
  return (
    <div
      className={styles['message']}
      data-side={side}
      data-follows={follows || undefined}
      data-wanted={wanted || undefined}
    >
      <div className={styles['bubble']} data-bare={bare || undefined}>
        <span className="visually-hidden">{note ? 'Note' : isSent ? 'You' : contactName}: </span>
        {note && <NoteLabel cause={message.cause} />}
        {isSent && causeOf(message.cause) && <p className={styles['label']}>{causeOf(message.cause)}</p>}
        {!message.deletedAt && <MessageOrigin message={message} />}
        {message.replyTo && <Quote id={message.replyTo} answered={answered} onJump={onJump} />}
        {message.deletedAt ? (
          <p className={styles['deleted']}>
            {isSent ? 'This message was deleted' : 'The customer deleted this message'}
          </p>
        ) : note && message.mentions ? (
          <MentioningContent content={content} mentions={message.mentions} />
        ) : (
          <MessageContent content={content} />
        )}
        {message.payment && !message.deletedAt && <p className={styles['label']}>{payments[message.payment]}</p>}
        <span className={styles['foot']}>
          {message.editedAt && !message.deletedAt && (
            <span title={fullTime(new Date(message.editedAt), timeZone)}>Edited</span>
          )}
          <time dateTime={timestamp} title={fullTime(at, timeZone)}>
            {dateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(at)}
          </time>
          {isSent && (
            <Ticks
              status={status ?? (message.status === 'failed' || waiting?.state === 'failed' ? 'failed' : 'queued')}
            />
          )}
        </span>
        {content.type === 'template' && content.buttons && !message.deletedAt && (
          <div className={styles['buttons']}>
            <MessageButtons buttons={content.buttons} />
          </div>
        )}
        {reactions.length > 0 && (
          <span className={styles['reactions']}>
            <span className="visually-hidden">Reactions: </span>
            {reactions.join(' ')}
          </span>
        )}
        {!waiting && <MessageMenu message={message} {...actions} />}
      </div>
      {message.direction === 'inbound' && !message.deletedAt && ('text' in content || 'caption' in content) && (
        <Suspense>
          <OptOutLine message={message} contactId={contactId} />
        </Suspense>
      )}
      <MessageState message={message} waiting={waiting} onTemplate={onTemplate} timeZone={timeZone} />
    </div>
  )
}

/** Says who has written a note. */
function NoteLabel({ cause: { kind, id } }: Pick<Message, 'cause'>) {
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const author = id === ownId || id === 'me' ? 'You' : nameOf(id)
  return (
    <p className={styles['label']}>
      Note for the team
      {kind === 'member' && author !== undefined && (
        <>
          {' · '}
          <span dir="auto">{author}</span>
        </>
      )}
    </p>
  )
}

function MentioningContent({ content, mentions }: { content: Message['content']; mentions: readonly string[] }) {
  const nameOf = useMemberName()
  return <MessageContent content={content} mentions={mentions.flatMap((id) => nameOf(id) ?? [])} />
}

/** The message that is answered; it leads to it. */
function Quote({
  id,
  answered,
  onJump,
}: {
  id: string
  answered: Message | undefined
  onJump: (messageId: string) => void
}) {
  const text = !answered ? 'Show the message' : answered.deletedAt ? 'Deleted message' : quotedText(answered.content)
  return (
    <button type="button" className={styles['quote']} onClick={() => onJump(id)}>
      <span className="visually-hidden">In answer to: </span>
      <span dir="auto">
        <WhatsAppText text={text} />
      </span>
    </button>
  )
}

type Content = Extract<Message['content'], { type: 'system' }>

/** Shows a member's action on the conversation. */
function ActivityLine({ message, content, timeZone }: { message: Message; content: Content; timeZone: string }) {
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const who = (userId: string | undefined) => (userId === ownId ? 'You' : nameOf(userId))
  const actor = actorOf(message.cause, who)
  const timeOf = (iso: string) => fullTime(new Date(iso), timeZone)
  return (
    <p className={styles['system']} title={timeOf(message.sentAt)}>
      {content.activity
        ? activityLabels(content.activity, { actor, who, timeOf })
        : content.phone
          ? `The customer’s phone number is now ${writtenPhone(content.phone)}`
          : content.text}
    </p>
  )
}
