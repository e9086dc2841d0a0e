import type { Message } from '@parley/contracts/messages'
import { useMemberName } from '../../lib/choices/members.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useOwnId } from '../../lib/user.ts'
import styles from './message-bubble.module.css'

type Content = Extract<Message['content'], { type: 'system' }>

/** Who did what with the conversation. */
export function ActivityLine({ message, content, timeZone }: { message: Message; content: Content; timeZone: string }) {
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const who = (userId: string | undefined) => (userId === ownId ? 'You' : nameOf(userId))
  const { kind, id } = message.cause
  const actor = kind === 'member' ? who(id) : kind === 'workflow' ? 'Automatic assignment' : undefined
  return (
    <p className={styles['system']} title={fullTime(new Date(message.sentAt), timeZone)}>
      {content.activity ? wordsOf(content.activity, actor, who, timeZone) : content.text}
    </p>
  )
}

function wordsOf(
  { kind, member, until }: NonNullable<Content['activity']>,
  actor: string | undefined,
  who: (userId: string | undefined) => string | undefined,
  timeZone: string,
): string {
  const by = actor ?? 'Somebody'
  switch (kind) {
    case 'assigned': {
      const to = who(member)
      if (member === undefined) return `${by} handed this conversation to a bot`
      return to === actor
        ? `${by} took this conversation`
        : `${by} gave this conversation to ${to === 'You' ? 'you' : to}`
    }
    case 'unassigned':
      return `${by} put this conversation back for everybody`
    case 'closed':
      return `${by} closed this conversation`
    case 'reopened':
      return actor ? `${by} opened this conversation again` : 'This conversation was opened again'
    case 'snoozed':
      return until
        ? `${by} snoozed this conversation until ${fullTime(new Date(until), timeZone)}`
        : `${by} snoozed this conversation until the customer writes`
    case 'woken':
      return 'This conversation is back from its snooze'
  }
}
