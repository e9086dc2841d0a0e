import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react'
import { useClock } from '../../../lib/use-clock.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import { replyWindow } from '../composer/reply-window.ts'
import { PresenceBar } from '../presence/presence-bar.tsx'
import type { ChangeInboxUrl, InboxUrl } from '../url.ts'
import type { Unread } from './day-groups.ts'
import { ThreadHead } from './thread-head.tsx'
import { type ThreadHandle, ThreadMessages } from './thread-messages.tsx'
import styles from './thread-pane.module.css'

const ThreadSearch = lazy(async () => ({ default: (await import('./thread-search.tsx')).ThreadSearch }))

export interface ThreadPaneHandle {
  focusComposer: () => void
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
  }))
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
        onManageReplies={() => change({ dialog: 'replies' })}
        onSent={() => requestAnimationFrame(() => messages.current?.toNewest())}
      />
    </section>
  )
}
