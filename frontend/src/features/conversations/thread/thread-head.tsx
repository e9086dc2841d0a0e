import ArrowLeftOutlined from '@ant-design/icons/ArrowLeftOutlined'
import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import MailOutlined from '@ant-design/icons/MailOutlined'
import MoreOutlined from '@ant-design/icons/MoreOutlined'
import RollbackOutlined from '@ant-design/icons/RollbackOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { lazy, Suspense, useMemo } from 'react'
import { useScreenCommands } from '../../../lib/screen-commands.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useIsMobile } from '../../../ui/use-media.ts'
import type { ReplyWindow } from '../composer/reply-window.ts'
import { conversationFields } from '../composer/seed-fields.ts'
import { DueBadge } from '../list/due-badge.tsx'
import { keysOf } from '../shortcuts.ts'
import styles from './thread-head.module.css'

/** Menus are large and seldom opened. One that is pressed before it is there opens when it is. */
const SnoozeMenu = lazy(async () => ({ default: (await import('../details/snooze-menu.tsx')).SnoozeMenu }))

interface Props {
  conversation: Conversation
  readAt: number
  replyWindow: ReplyWindow
  onBack: (() => void) | undefined
  onDetails: (() => void) | undefined
  /** Opens the search in the thread. */
  onFind: () => void
  onRename: () => void
  /** Closes the conversation, or opens it again. */
  onToggle: () => void
  onUnread: () => void
  onSnooze: (until: Date) => void
  menuIsOpen: boolean
  onMenu: (isOpen: boolean) => void
}

/** Shows the customer, how long free text may be sent, and the actions on the conversation. */
export function ThreadHead({
  conversation,
  readAt,
  replyWindow,
  onBack,
  onDetails,
  onFind,
  onRename,
  onToggle,
  onUnread,
  onSnooze,
  menuIsOpen,
  onMenu,
}: Props) {
  const { name, phone } = conversationFields(conversation)
  const closed = conversation.status === 'closed'
  const toggleLabel = closed ? 'Reopen conversation' : 'Close conversation'
  const toggleIcon = closed ? <RollbackOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />
  const isMobile = useIsMobile()
  const { now, timeZone } = useClock(readAt)
  const others = [
    { key: 'find', label: 'Search in this conversation', icon: <SearchOutlined />, onSelect: onFind },
    { key: 'unread', label: 'Mark as unread', icon: <MailOutlined />, onSelect: onUnread },
    { key: 'toggle', label: toggleLabel, icon: toggleIcon, onSelect: onToggle },
  ]
  const snooze = (
    <Suspense
      fallback={
        <IconButton
          label={isMobile ? 'Conversation actions' : 'Snooze conversation'}
          aria-haspopup="menu"
          onClick={() => onMenu(true)}
        >
          {isMobile ? <MoreOutlined aria-hidden /> : <ClockCircleOutlined aria-hidden />}
        </IconButton>
      }
    >
      <SnoozeMenu
        conversation={conversation}
        readAt={readAt}
        others={isMobile ? others : undefined}
        open={menuIsOpen}
        onOpenChange={onMenu}
        onSnooze={onSnooze}
      />
    </Suspense>
  )
  const commands = useMemo(
    () => [
      { id: 'rename', title: `Edit contact name of ${name}`, run: onRename },
      {
        id: 'close',
        title: `${toggleLabel} with ${name}`,
        run: onToggle,
      },
    ],
    [name, toggleLabel, onRename, onToggle],
  )
  useScreenCommands(commands)
  return (
    <header className={styles['head']}>
      {onBack && (
        <IconButton label="Back to conversations" onClick={onBack}>
          <ArrowLeftOutlined aria-hidden />
        </IconButton>
      )}
      <Avatar name={name} letters={2} size={36} />
      <div className={styles['who']}>
        <div className={styles['names']}>
          <h2 className={styles['name']} dir="auto">
            {name}
          </h2>
          <Tooltip text="Edit contact name">
            <IconButton label="Edit contact name" onClick={onRename}>
              <EditOutlined aria-hidden />
            </IconButton>
          </Tooltip>
        </div>
        <p className={styles['line']}>
          {phone && <span className={styles['phone']}>{phone}</span>}
          <span className={styles['window']} data-state={replyWindow.state}>
            <ClockCircleOutlined aria-hidden />
            {replyWindow.state === 'closed'
              ? 'Templates only'
              : `${replyWindow.left} left${isMobile || conversation.dueAt ? '' : ' to reply'}`}
          </span>
          <DueBadge conversation={conversation} now={now} timeZone={timeZone} />
          {conversation.status !== 'open' && <span>{closed ? 'Closed' : 'Snoozed'}</span>}
        </p>
      </div>
      {!isMobile && (
        <Tooltip text="Search in this conversation">
          <IconButton label="Search in this conversation" onClick={onFind}>
            <SearchOutlined aria-hidden />
          </IconButton>
        </Tooltip>
      )}
      {!isMobile && snooze}
      {!isMobile && (
        <Tooltip text={`${toggleLabel} (${keysOf('finish')})`}>
          <IconButton label={toggleLabel} aria-keyshortcuts={keysOf('finish')} onClick={onToggle}>
            {toggleIcon}
          </IconButton>
        </Tooltip>
      )}
      {onDetails && (
        <Tooltip text="Contact details">
          <IconButton label="Contact details" onClick={onDetails}>
            <InfoCircleOutlined aria-hidden />
          </IconButton>
        </Tooltip>
      )}
      {isMobile && snooze}
    </header>
  )
}
