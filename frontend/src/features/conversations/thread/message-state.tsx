import type { Message } from '@parley/contracts/inbox/messages'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { fullTime } from '../../../lib/relative-time.ts'
import type { Waiting } from '../list/waiting.ts'
import { discard, postAgain } from '../outbox/outbox.ts'
import { useMessageChange } from '../outbox/sending.ts'
import styles from './message-bubble.module.css'

/** Line under a bubble: the reason why it has not been sent yet, and the possible actions. */
export function MessageState({
  message,
  waiting,
  onTemplate,
  timeZone,
}: {
  message: Message
  waiting: Waiting | undefined
  /** Opens the templates; set where WhatsApp accepts nothing else. */
  onTemplate: (() => void) | undefined
  timeZone: string
}) {
  if (waiting) return <WaitingState waiting={waiting} />
  const { status, dispatch, error, sendAt, content } = message
  const instead = content.type === 'template' ? undefined : onTemplate
  // The server reports an error once its status is overdue.
  if (dispatch === 'uncertain') return error ? <Unconfirmed message={message} onTemplate={instead} /> : <InDoubt />
  if (status === 'failed') return <Failed message={message} onTemplate={instead} />
  if (dispatch === 'cancelled') return <p className={styles['state']}>Cancelled before it was sent</p>
  if (sendAt && status === 'queued') return <Scheduled message={message} at={new Date(sendAt)} timeZone={timeZone} />
  return null
}

function WaitingState({ waiting }: { waiting: Waiting }) {
  const client = useQueryClient()
  if (waiting.state === 'sending') return null
  const remove = (
    <Button size="small" type="text" onClick={() => discard(client, waiting)}>
      Delete
    </Button>
  )
  if (waiting.state === 'offline')
    return <p className={styles['state']}>Will be sent when you are back online. {remove}</p>
  return (
    <p className={styles['failed']} role="alert">
      <b>Not sent.</b> {waiting.problem}{' '}
      <Button size="small" onClick={() => postAgain(client, waiting)}>
        Retry
      </Button>
      {remove}
    </p>
  )
}

interface Ended {
  message: Message
  onTemplate: (() => void) | undefined
}

/** WhatsApp's code for a customer who has stopped marketing: the same message fails again (Cloud API, error codes). */
const stoppedMarketing = 131050

function Failed({ message, onTemplate }: Ended) {
  const { error } = message
  return (
    <p className={styles['failed']}>
      <b>{error?.title ?? 'Not delivered'}.</b> {!onTemplate && error?.nextStep}{' '}
      {error?.code !== stoppedMarketing && <Again label="Retry" message={message} onTemplate={onTemplate} />}
    </p>
  )
}

function InDoubt() {
  return <p className={styles['state']}>WhatsApp has not confirmed it yet. Parley does not resend it automatically.</p>
}

function Unconfirmed({ message, onTemplate }: Ended) {
  return (
    <p className={styles['state']}>
      <b>Not confirmed.</b> WhatsApp has not said whether it was sent.{' '}
      {!onTemplate && 'Sending it again may deliver it twice. '}
      <Again label="Send again" message={message} onTemplate={onTemplate} />
    </p>
  )
}

/** The same once more, or what WhatsApp takes instead. */
function Again({ label, message, onTemplate }: Ended & { label: string }) {
  const { mutate, isPending } = useMessageChange('retry', message)
  if (!onTemplate)
    return (
      <Button size="small" loading={isPending} onClick={() => mutate(undefined)}>
        {label}
      </Button>
    )
  return (
    <>
      WhatsApp now only accepts templates.{' '}
      <Button size="small" onClick={onTemplate}>
        Send a template
      </Button>
    </>
  )
}

function Scheduled({ message, at, timeZone }: { message: Message; at: Date; timeZone: string }) {
  const { mutate, isPending } = useMessageChange('cancel', message)
  return (
    <p className={styles['state']}>
      Scheduled for {fullTime(at, timeZone)}{' '}
      <Button size="small" loading={isPending} onClick={() => mutate(undefined)}>
        Cancel
      </Button>
    </p>
  )
}
