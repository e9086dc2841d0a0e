import MoreOutlined from '@ant-design/icons/MoreOutlined'
import type { Message } from '@parley/contracts/inbox/messages'
import { Button } from 'antd'
import { useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toast.ts'
import { quotedText } from '../list/preview-text.ts'
import { useReaction } from '../outbox/sending.ts'
import styles from './message-menu.module.css'

/** Returns the whole text of a message, with its lines; of one without text what its quote says. */
const copiedText = (content: Message['content']): string =>
  'text' in content && content.text ? content.text : quotedText(content)

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

export interface MessageActions {
  readonly onReply: (message: Message) => void
  readonly onPassport: (message: Message) => void
  /** Opens the templates; set where WhatsApp accepts nothing else. */
  readonly onTemplate: (() => void) | undefined
}

/** Menu of one message: react, answer it, copy it, see its details. */
export function MessageMenu({
  message,
  onReply,
  onPassport,
}: { message: Message } & Pick<MessageActions, 'onReply' | 'onPassport'>) {
  const [open, setOpen] = useState(false)
  const { mutate: react } = useReaction(message)
  const memberEmoji = message.reactions?.find(({ by }) => by === 'member')?.emoji
  const closing = (act: () => void) => () => {
    setOpen(false)
    act()
  }
  const copy = () =>
    navigator.clipboard.writeText(copiedText(message.content)).then(
      () => toast.success('Copied'),
      () => toast.error('The text could not be copied.'),
    )
  return (
    <span className={styles['menu']} data-open={open || undefined}>
      <Popover
        label="Message actions"
        open={open}
        onOpenChange={setOpen}
        align="end"
        button={
          <IconButton label="Message actions">
            <MoreOutlined aria-hidden />
          </IconButton>
        }
      >
        <div className={styles['choices']}>
          {message.direction === 'inbound' && !message.deletedAt && (
            <fieldset className={styles['emojis']} aria-label="React">
              {emojis.map((emoji) => (
                <button
                  key={emoji}
                  type="button"
                  aria-label={memberEmoji === emoji ? `Remove ${emoji}` : `React with ${emoji}`}
                  aria-pressed={memberEmoji === emoji}
                  onClick={closing(() => react(memberEmoji === emoji ? '' : emoji))}
                >
                  {emoji}
                </button>
              ))}
            </fieldset>
          )}
          {message.direction !== 'note' && !message.deletedAt && (
            <Button type="text" onClick={closing(() => onReply(message))}>
              Reply
            </Button>
          )}
          <Button type="text" onClick={closing(() => void copy())}>
            Copy text
          </Button>
          <Button type="text" onClick={closing(() => onPassport(message))}>
            Message details
          </Button>
        </div>
      </Popover>
    </span>
  )
}
