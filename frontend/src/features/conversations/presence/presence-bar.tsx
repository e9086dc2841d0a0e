import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { useMemberName } from '../../../lib/choices/members.ts'
import { useOwnId } from '../../../lib/user.ts'
import { quotedText } from '../list/preview-text.ts'
import { useLiveThread } from '../thread/live-thread.ts'
import { usePresent } from './presence.ts'
import styles from './presence-bar.module.css'

/** Milliseconds for which a colleague's answer may be unseen. */
const recentMs = 60_000

/**
 * Shows colleagues' activity in this conversation, so that two do not answer the same: over the thread, so that nothing moves.
 */
export function PresenceBar({ conversation: { id }, now }: { conversation: Conversation; now: Date }) {
  const ownId = useOwnId()
  const nameOf = useMemberName()
  const others = usePresent(id).filter(({ userId }) => userId !== ownId)
  const answer = useLiveThread(id).newer.findLast((message) => isAnswerOfOther(message, ownId, now))
  const names = (state: 'typing' | 'looking') =>
    others.flatMap((other) => (other.state === state ? (nameOf(other.userId) ?? []) : []))
  const typing = names('typing')
  const looking = names('looking')
  return (
    <div className={styles['together']} role="status">
      {answer && (
        <p className={styles['line']} data-answer>
          <b>{nameOf(answer.cause.id)}</b> has just answered: {quotedText(answer.content)}
        </p>
      )}
      {typing.length > 0 ? (
        <p className={styles['line']}>
          {typing.join(', ')} {typing.length === 1 ? 'is' : 'are'} typing…
        </p>
      ) : (
        looking.length > 0 && (
          <p className={styles['line']}>
            {looking.join(', ')} {looking.length === 1 ? 'is' : 'are'} looking at this too
          </p>
        )
      )}
    </div>
  )
}

const isAnswerOfOther = ({ direction, cause, sentAt }: Message, ownId: string | undefined, now: Date) =>
  direction === 'outbound' &&
  cause.kind === 'member' &&
  ownId !== undefined &&
  cause.id !== ownId &&
  now.getTime() - Date.parse(sentAt) < recentMs
