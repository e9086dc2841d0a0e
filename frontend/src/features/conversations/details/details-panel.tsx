import CloseOutlined from '@ant-design/icons/CloseOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import UserSwitchOutlined from '@ant-design/icons/UserSwitchOutlined'
import type { Conversation, ConversationHistory } from '@parley/contracts/inbox/conversations'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { useTags } from '../../../lib/choices/tags.ts'
import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { historyOptions } from '../api.ts'
import { replyWindow } from '../composer/reply-window.ts'
import { conversationFields } from '../composer/seed-fields.ts'
import { ExportChat } from '../thread/export-chat-button.tsx'
import styles from './details-panel.module.css'
import { OwnerLine } from './owner-line.tsx'
import { useTagging } from './use-tagging.ts'

/** Menus are large and seldom opened. */
const AssignBot = lazy(async () => ({ default: (await import('./assign-menus.tsx')).AssignBot }))
const AssignMember = lazy(async () => ({ default: (await import('./assign-menus.tsx')).AssignMember }))

/** Parts about the contact, which are read after the thread. */
const ContactParts = lazy(async () => ({ default: (await import('./contact-parts.tsx')).ContactParts }))

const botIcon = <RobotOutlined aria-hidden />
const memberIcon = <UserSwitchOutlined aria-hidden />

/** The button of a menu that is loading: pressed now, it opens when it is there. */
const Waiting = ({ icon, children, onPress }: { icon: ReactNode; children: string; onPress: () => void }) => (
  <Button block icon={icon} aria-haspopup="menu" onClick={onPress}>
    {children}
  </Button>
)

interface Props {
  conversation: Conversation
  readAt: number
  onAddTag: () => void
  onAddNote: () => void
  /** Shows a note where it stands in its thread. */
  onShowNote: (note: ConversationHistory['notes'][number]) => void
  /** Closes the panel; set where it lies over the thread. */
  onClose: (() => void) | undefined
}

/** The right pane: what is known of the contact, quick actions and history. */
export function DetailsPanel({ conversation, readAt, onAddTag, onAddNote, onShowNote, onClose }: Props) {
  const { name, phone } = conversationFields(conversation)
  const clock = useClock(readAt)
  const known = useTags()
  const tagging = useTagging(conversation)
  const [menu, setMenu] = useState<'bot' | 'member'>()
  const menuOf = (kind: 'bot' | 'member') => ({
    open: menu === kind,
    onOpenChange: (isOpen: boolean) => setMenu(isOpen ? kind : undefined),
  })
  const colourOf = (tag: string) => known.find((other) => other.name === tag)?.colour ?? 'grey'
  const { tags } = conversation.contact
  const { data: history } = useQuery(historyOptions(conversation))
  const { messages, firstContactAt, lastActiveAt } = { ...conversation.history, ...withTimes(history) }
  return (
    <aside
      className={styles['panel']}
      aria-label="Contact details"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose?.()
      }}
    >
      <div className={styles['who']}>
        {onClose && (
          <span className={styles['close']}>
            <IconButton label="Close contact details" onClick={onClose} autoFocus>
              <CloseOutlined aria-hidden />
            </IconButton>
          </span>
        )}
        <Avatar name={name} letters={2} size={56} />
        <Link to={`/contacts/${conversation.contact.id}`} className={styles['name'] ?? ''} dir="auto">
          {name}
        </Link>
        {phone && (
          <p className={styles['phone']}>
            {phone}
            <CopyButton what="phone number" text={conversation.contact.phone ?? phone} />
          </p>
        )}
      </div>
      <Channel conversation={conversation} clock={clock} />
      <section>
        <h3>Tags</h3>
        {tags.length === 0 ? (
          <p className={styles['quiet']}>No tags yet.</p>
        ) : (
          <ul className={styles['tags']}>
            {tags.map((tag) => (
              <li key={tag}>
                <Pill colour={colourOf(tag)} onRemove={() => tagging.remove(tag)}>
                  {tag}
                </Pill>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Suspense
        fallback={
          <section>
            <SkeletonBlocks count={3} height="72px" />
          </section>
        }
      >
        <ContactParts
          contactId={conversation.contact.id}
          notes={history?.notes}
          clock={clock}
          onAddNote={onAddNote}
          onShowNote={onShowNote}
        />
      </Suspense>
      <section>
        <h3>Quick actions</h3>
        <OwnerLine owner={conversation.owner} />
        <div className={styles['actions']}>
          <Button block icon={<PlusOutlined aria-hidden />} onClick={onAddTag}>
            Add Tag
          </Button>
          <Suspense
            fallback={
              <Waiting icon={botIcon} onPress={() => setMenu('bot')}>
                Assign to Bot
              </Waiting>
            }
          >
            <AssignBot conversation={conversation} icon={botIcon} {...menuOf('bot')} />
          </Suspense>
          <Suspense
            fallback={
              <Waiting icon={memberIcon} onPress={() => setMenu('member')}>
                Assign to Member
              </Waiting>
            }
          >
            <AssignMember conversation={conversation} icon={memberIcon} {...menuOf('member')} />
          </Suspense>
          <ExportChat conversation={conversation} />
        </div>
      </section>
      <section>
        <h3>History</h3>
        <dl className={styles['history']}>
          <div>
            <dt>Total messages</dt>
            <dd>{formatCount(messages)}</dd>
          </div>
          {history !== undefined && history.campaigns > 0 && (
            <div>
              <dt>Of campaigns</dt>
              <dd>{formatCount(history.campaigns)}</dd>
            </div>
          )}
          <div>
            <dt>First contact</dt>
            <dd>
              <Timestamp at={firstContactAt} {...clock} />
            </dd>
          </div>
          <div>
            <dt>Last active</dt>
            <dd>
              <Timestamp at={lastActiveAt} {...clock} />
            </dd>
          </div>
        </dl>
      </section>
    </aside>
  )
}

/** A conversation in which nothing was written yet has no times of its own. */
const withTimes = (history: ConversationHistory | undefined) =>
  history && {
    messages: history.messages,
    ...(history.firstContactAt !== null && { firstContactAt: history.firstContactAt }),
    ...(history.lastActiveAt !== null && { lastActiveAt: history.lastActiveAt }),
  }

/** Number that the customer has written to, and the end of the time in which free text may be sent. */
function Channel({ conversation, clock }: { conversation: Conversation; clock: ReturnType<typeof useClock> }) {
  const { numberId, windowExpiresAt } = conversation
  const number = useQuery(numberChoices()).data?.find(({ id }) => id === numberId)
  const { state, left } = replyWindow(windowExpiresAt, clock.now)
  return (
    <section>
      <dl className={styles['history']}>
        <div>
          <dt>Written to</dt>
          <dd>
            {number && (
              <>
                <bdi>{number.displayName}</bdi>
                <br />
                {writtenPhone(number.phoneNumber)}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Reply window</dt>
          <dd>{state === 'closed' ? 'Closed: templates only' : `${left} left`}</dd>
        </div>
      </dl>
    </section>
  )
}
