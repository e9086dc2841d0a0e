import CloseOutlined from '@ant-design/icons/CloseOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { type Message, maxMessageLength } from '@parley/contracts/inbox/messages'
import { Button } from 'antd'
import { formatCount } from '../../../lib/format.ts'
import { useBlockContact } from '../../../lib/use-block-contact.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
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
        <b>{message.direction === 'inbound' ? customer : 'You'}</b> <WhatsAppText text={quotedText(message.content)} />
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

/** Stands in place of the field where nothing may be written to the customer, or templates only; a note for the team always may. */
export function ClosedComposer({
  contact,
  onNote,
  onTemplate,
  onMacros,
}: {
  contact: Conversation['contact']
  onNote: () => void
  onTemplate: () => void
  onMacros: () => void
}) {
  const { setBlocked, isPending } = useBlockContact()
  return (
    <div className={styles['closed']}>
      {contact.blocked ? (
        <p>
          <b>This contact is blocked.</b> Nothing is sent to them.
        </p>
      ) : (
        <p>
          <b>The 24-hour window is closed.</b> WhatsApp now only allows approved templates
          {contact.optedOut && ', and this customer has opted out of marketing'}. You can write freely again once the
          customer replies.
        </p>
      )}
      <Button onClick={onNote}>Write a note</Button>
      <Button onClick={onMacros}>Run a macro</Button>
      {contact.blocked ? (
        <Button type="primary" loading={isPending} onClick={() => void setBlocked(contact, false)}>
          Unblock
        </Button>
      ) : (
        <Button type="primary" onClick={onTemplate}>
          Send a template
        </Button>
      )}
    </div>
  )
}
