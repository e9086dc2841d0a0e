import type { Conversation } from '@parley/contracts/conversations'
import { Button } from 'antd'
import { type Ref, useImperativeHandle, useRef } from 'react'
import { useClock } from '../../lib/use-clock.ts'
import { useMedia } from '../../ui/use-media.ts'
import { Composer, type ComposerHandle } from './composer.tsx'
import { replyWindow } from './reply-window.ts'
import { useSending } from './sending.ts'
import { ThreadHead } from './thread-head.tsx'
import { type ThreadHandle, ThreadMessages } from './thread-messages.tsx'
import styles from './thread-pane.module.css'
import type { ChangeInboxUrl } from './url.ts'

export interface ThreadPaneHandle {
  focusComposer: () => void
}

interface Props {
  ref: Ref<ThreadPaneHandle>
  conversation: Conversation
  readAt: number
  change: ChangeInboxUrl
  /** Present where the list is not in view. */
  onBack: (() => void) | undefined
  /** Escape: back to the list. */
  onLeave: () => void
  /** Present where the right panel has no place of its own. */
  onDetails: (() => void) | undefined
}

/** The middle pane: whom one writes with, the messages, and what is written next. */
export function ThreadPane({ ref, conversation, readAt, change, onBack, onLeave, onDetails }: Props) {
  const { now } = useClock(readAt)
  const composer = useRef<ComposerHandle>(null)
  const messages = useRef<ThreadHandle>(null)
  const send = useSending(conversation.id)
  const window = replyWindow(conversation.windowExpiresAt, now)
  // A keyboard that slides in by itself would hide half of the thread.
  const hasKeyboard = useMedia('(hover: hover)')
  useImperativeHandle(ref, () => ({
    focusComposer: () => {
      if (hasKeyboard) composer.current?.focus()
    },
  }))
  return (
    <section
      className={styles['pane']}
      aria-label={`Conversation with ${conversation.contact.name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) onLeave()
      }}
    >
      <ThreadHead
        conversation={conversation}
        replyWindow={window}
        onBack={onBack}
        onDetails={onDetails}
        onRename={() => change({ dialog: 'rename' })}
      />
      <ThreadMessages ref={messages} conversation={conversation} />
      {window.state === 'closed' ? (
        <div className={styles['closed']}>
          <p>
            <b>The 24-hour window is closed.</b> WhatsApp now only allows approved templates. You can write freely again
            once the customer replies.
          </p>
          <Button type="primary" onClick={() => change({ dialog: 'template' })}>
            Send a template
          </Button>
        </div>
      ) : (
        <Composer
          ref={composer}
          conversationId={conversation.id}
          onSend={(text) => {
            const content = { type: 'text', text } as const
            send.content(content, content)
            requestAnimationFrame(() => messages.current?.toNewest())
          }}
        />
      )}
    </section>
  )
}
