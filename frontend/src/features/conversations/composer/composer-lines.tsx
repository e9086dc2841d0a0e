import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { type Message, maxMessageLength } from '@parley/contracts/inbox/messages'
import { formatCount } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { quotedText } from '../list/preview-text.ts'
import styles from './composer.module.css'

/** The message that is being answered. */
export function AnsweredLine({
  message,
  customer,
  onClose,
}: {
  message: Message
  customer: string
  onClose: () => void
}) {
  return (
    <p className={styles['answered']}>
      <span dir="auto">
        <b>{message.direction === 'inbound' ? customer : 'You'}</b> {quotedText(message.content)}
      </span>
      <IconButton label="Cancel reply" onClick={onClose}>
        <CloseOutlined aria-hidden />
      </IconButton>
    </p>
  )
}

/** Shows the length of a text, and what to do where it is too long. */
export function LengthLine({ id, length }: { id: string; length: number }) {
  const over = length - maxMessageLength
  return (
    <p id={id} className={styles['count']} data-over={over > 0 || undefined} role="status">
      {formatCount(length)} of {formatCount(maxMessageLength)} characters
      {over > 0 && `: ${formatCount(over)} too many. Shorten the text or send it in parts.`}
    </p>
  )
}
