import MessageOutlined from '@ant-design/icons/MessageOutlined'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ActionLink } from '../../../ui/action.tsx'
import parts from '../../../ui/contact/contact-parts.module.css'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { RelativeTime } from '../../../ui/timestamp.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { conversationsWithOptions } from './api.ts'
import styles from './contact-drawer.module.css'

/** The end of the conversation with a contact, and the way into it. */
export function LastMessage({ contact }: { contact: Contact }) {
  const clock = useClock(0)
  const { data: [data] = [], isPending } = useQuery(conversationsWithOptions(contact.id))
  const address = `/conversations?contact=${contact.id}`
  return (
    <section className={parts['part']} aria-labelledby="contact-conversation">
      <h2 id="contact-conversation">Conversation</h2>
      {isPending ? (
        <SkeletonBar height="96px" />
      ) : data && data.history.messages > 0 ? (
        <Tooltip text={fullTime(new Date(data.lastMessage.at), clock.timeZone)}>
          <Link to={address} className={parts['conversation'] ?? ''}>
            <span className={parts['text']} dir="auto">
              {data.lastMessage.direction === 'outbound' && <span className={parts['quiet']}>You: </span>}
              {data.lastMessage.text}
            </span>
            <span className={styles['foot']}>
              <RelativeTime at={data.lastMessage.at} {...clock} />
              <span>{counted(data.history.messages, 'message')}</span>
            </span>
          </Link>
        </Tooltip>
      ) : (
        <p className={parts['quiet']}>No messages yet.</p>
      )}
      <ActionLink to={address} primary block>
        <MessageOutlined aria-hidden /> {data ? 'Open conversation' : 'Send a message'}
      </ActionLink>
    </section>
  )
}
