import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react'
import { useClock } from '../../../lib/use-clock.ts'
import { useOwnId } from '../../../lib/user.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useChangeConversation, useMarkUnread } from '../changes.ts'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import { replyWindow } from '../composer/reply-window.ts'
import { PresenceBar } from '../presence/presence-bar.tsx'
import { useConversationKeys } from '../shortcuts.ts'
import type { ChangeInboxUrl, InboxUrl } from '../url.ts'
import { neighboursOf, useFinish } from '../use-finish.ts'
import type { Unread } from './day-groups.ts'
import { ThreadHead } from './thread-head.tsx'
import { type ThreadHandle, ThreadMessages } from './thread-messages.tsx'
import styles from './thread-pane.module.css'

const ThreadSearch = lazy(async () => ({ default: (await import('./thread-search.tsx')).ThreadSearch }))

export interface ThreadPaneHandle {
  focusComposer: () => void
  /** Lets the person write a note for the team. */
  startNote: () => void
}

interface Props {
  ref: Ref<ThreadPaneHandle>
  conversation: Conversation
  readAt: number
  /** Messages that were unread when the conversation was opened. */
  unread: Unread | undefined
  url: InboxUrl
  change: ChangeInboxUrl
  /** Opens the list; set where it is not in view. */
  onBack: (() => void) | undefined
  /** Returns to the list, on Escape. */
  onLeave: () => void
  /** Opens the right panel; set where it has no place of its own. */
  onDetails: (() => void) | undefined
}

/** The middle pane: whom one writes with, the messages, and what is written next. */
export function ThreadPane({ ref, conversation, readAt, unread, url, change, onBack, onLeave, onDetails }: Props) {
  const { now } = useClock(readAt)
  const composer = useRef<ComposerHandle>(null)
  const messages = useRef<ThreadHandle>(null)
  const [answered, setAnswered] = useState<Message>()
  const [finding, setFinding] = useState(url.find !== undefined)
  const window = replyWindow(conversation.windowExpiresAt, now)
  const isClosed = window.state === 'closed'
  const onTemplate = () => change({ dialog: 'template' })
  // A keyboard that slides in by itself would hide half of the thread.
  const hasKeyboard = useMedia('(hover: hover)')
  useImperativeHandle(ref, () => ({
    focusComposer: () => {
      if (hasKeyboard) composer.current?.focus()
    },
    startNote: () => composer.current?.startNote(),
  }))
  const [snoozing, setSnoozing] = useState(false)
  const client = useQueryClient()
  const ownId = useOwnId()
  const finish = useFinish(conversation, { url, change, onBack })
  const { mutate: changeConversation } = useChangeConversation(conversation.id)
  const { mutate: markUnread } = useMarkUnread(conversation.id)
  const { name } = conversation.contact
  const toggle = () =>
    conversation.status === 'closed'
      ? finish({ status: 'open' }, `The conversation with ${name} is open again`)
      : finish({ status: 'closed' }, `The conversation with ${name} is closed`)
  const leaveUnread = () => {
    markUnread(undefined)
    if (onBack) onBack()
    else change({ id: undefined, message: undefined, find: undefined })
  }
  const open = (id: string | undefined) => id !== undefined && change({ id, message: undefined, find: undefined })
  useConversationKeys({
    finish: toggle,
    snooze: () => setSnoozing(true),
    assign: () => ownId !== undefined && changeConversation({ owner: { kind: 'member', id: ownId } }),
    note: () => composer.current?.startNote(),
    unread: leaveUnread,
    next: () => open(neighboursOf(client, url, conversation.id).next),
    previous: () => open(neighboursOf(client, url, conversation.id).previous),
  })
  const closeSearch = () => {
    setFinding(false)
    change({ find: undefined }, { replace: true })
  }
  return (
    <section
      className={styles['pane']}
      aria-label={`Conversation with ${conversation.contact.name}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        composer.current?.addFiles(event.dataTransfer.files)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) onLeave()
      }}
    >
      <ThreadHead
        conversation={conversation}
        readAt={readAt}
        replyWindow={window}
        onBack={onBack}
        onDetails={onDetails}
        onFind={() => setFinding(true)}
        onRename={() => change({ dialog: 'rename' })}
        onToggle={toggle}
        onUnread={leaveUnread}
        onSnooze={(until) =>
          finish({ status: 'snoozed', snoozedUntil: until.toISOString() }, `The conversation with ${name} is snoozed`)
        }
        menuIsOpen={snoozing}
        onMenu={setSnoozing}
      />
      {finding && (
        <Suspense>
          <ThreadSearch
            conversationId={conversation.id}
            words={url.find ?? ''}
            onSearch={(find) => change({ find }, { replace: true })}
            onClose={closeSearch}
          />
        </Suspense>
      )}
      <div className={styles['messages']}>
        <ThreadMessages
          ref={messages}
          conversation={conversation}
          unread={unread}
          wanted={url.message}
          onWant={(message) => change({ message }, { replace: true })}
          onReply={(message) => {
            setAnswered(message)
            composer.current?.focus()
          }}
          onPassport={({ id }) => change({ dialog: 'passport', about: id })}
          onTemplate={isClosed ? onTemplate : undefined}
        />
        <PresenceBar conversation={conversation} now={now} />
      </div>
      <Composer
        ref={composer}
        conversation={conversation}
        isClosed={isClosed}
        answered={answered}
        onAnswer={setAnswered}
        onTemplate={onTemplate}
        onMacros={() => change({ dialog: 'macro', about: undefined })}
        onManageReplies={() => change({ dialog: 'replies' })}
        onSent={() => requestAnimationFrame(() => messages.current?.toNewest())}
      />
    </section>
  )
}
