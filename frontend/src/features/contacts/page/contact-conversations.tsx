import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { counted } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { useClock } from '../../../lib/use-clock.ts'
import parts from '../../../ui/contact/contact-parts.module.css'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { RelativeTime } from '../../../ui/timestamp.tsx'
import { conversationsWithOptions } from '../details/api.ts'
import styles from './contact-page.module.css'

const states = {
  open: { word: 'Open', tone: 'success' },
  snoozed: { word: 'Snoozed', tone: 'warning' },
  closed: { word: 'Closed', tone: 'neutral' },
} as const

/** Conversations with a contact: one for each number that they have written to. */
export function ContactConversations({ contactId }: { contactId: string }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(conversationsWithOptions(contactId))
  return (
    <section className={styles['card']} aria-labelledby="contact-conversations">
      <h2 id="contact-conversations" className={styles['title']}>
        Conversations
      </h2>
      {data ? (
        data.length === 0 ? (
          <p className={parts['quiet']}>No messages yet.</p>
        ) : (
          <ul className={styles['conversations']}>
            {data.map((conversation) => (
              <li key={conversation.id}>
                <OneConversation conversation={conversation} />
              </li>
            ))}
          </ul>
        )
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The conversations could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="96px" />
      )}
    </section>
  )
}

function OneConversation({ conversation }: { conversation: Conversation }) {
  const clock = useClock(0)
  const number = useQuery(numberChoices()).data?.find(({ id }) => id === conversation.numberId)
  const { word, tone } = states[conversation.status]
  const { messages } = conversation.history
  return (
    <Link to={`/conversations?id=${conversation.id}`} className={parts['conversation'] ?? ''}>
      <span className={styles['row']}>
        <span>{number?.displayName ?? 'WhatsApp number'}</span>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </span>
      <span className={parts['text']} dir="auto">
        {messages === 0 ? 'No messages yet.' : conversation.lastMessage.text}
      </span>
      <span className={styles['row']}>
        {messages > 0 && <RelativeTime at={conversation.lastMessage.at} {...clock} />}
        <span>{counted(messages, 'message')}</span>
      </span>
    </Link>
  )
}
