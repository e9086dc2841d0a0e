import type { Message } from '@parley/contracts/inbox/messages'
import { writtenPhone } from '@parley/phone'
import { activityLabels, actorOf } from '@parley/rules/activity-labels'
import { useMemberName } from '../../../lib/choices/members.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { useOwnId } from '../../../lib/user.ts'
import styles from './message-bubble.module.css'

type Content = Extract<Message['content'], { type: 'system' }>

/** Shows a member's action on the conversation. */
export function ActivityLine({ message, content, timeZone }: { message: Message; content: Content; timeZone: string }) {
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
