import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Passport } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import { Button } from 'antd'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { Link } from '../../../lib/navigation.ts'
import { useMessageChange } from '../outbox/sending.ts'
import styles from './passport-dialog.module.css'

/** Reason why a message did not arrive, or may not have, and the one thing that a person can do about it. */
export function PassportError({
  error: { code, title, details, nextStep, action },
  message,
  conversation,
  onTemplate,
  onClose,
}: {
  error: NonNullable<Passport['error']>
  message: Message
  conversation: Conversation
  onTemplate: () => void
  onClose: () => void
}) {
  const mayNotWrite = useIsRefused('conversations:write')
  return (
    <div>
      <p className={styles['error']}>
        <b>{title}</b>
        {code > 0 && ` (code ${code})`}. {details} {nextStep}
      </p>
      {action === 'retry' && !mayNotWrite && <SendAgain message={message} onSent={onClose} />}
      {action === 'send_template' && !mayNotWrite && <Button onClick={onTemplate}>Send a template</Button>}
      {action === 'fix_number' && (
        <Link to={`/whatsapp-numbers?checks=${conversation.numberId}`}>Check the number</Link>
      )}
      {action === 'fix_template' && message.content.type === 'template' && (
        <Link to={`/templates?details=${message.content.templateId}`}>Open the template</Link>
      )}
    </div>
  )
}

function SendAgain({ message, onSent }: { message: Message; onSent: () => void }) {
  const { mutate, isPending } = useMessageChange('retry', message)
  return (
    <Button loading={isPending} onClick={() => mutate(undefined, { onSuccess: onSent })}>
      Send again
    </Button>
  )
}
