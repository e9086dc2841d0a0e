import type { Message } from '@parley/contracts/messages'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { fullTime } from '../../lib/relative-time.ts'
import styles from './message-bubble.module.css'
import { discard, postAgain } from './outbox.ts'
import { useMessageChange } from './sending.ts'
import type { Waiting } from './waiting.ts'

/** Under a bubble: why it has not been sent yet, and what can be done. */
export function MessageState({
  message,
  waiting,
  timeZone,
}: {
  message: Message
  waiting: Waiting | undefined
  timeZone: string
}) {
  if (waiting) return <WaitingState waiting={waiting} />
  const { status, dispatch, error, sendAt } = message
  // The server tells of an error once its status is overdue.
  if (dispatch === 'uncertain') return error ? <Unconfirmed message={message} /> : <InDoubt />
  if (status === 'failed') return <Failed message={message} error={error} />
  if (dispatch === 'cancelled') return <p className={styles['state']}>Taken back before it was sent</p>
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
    return <p className={styles['state']}>Waiting for the connection, then it is sent. {remove}</p>
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

function Failed({ message, error }: { message: Message; error: Message['error'] }) {
  const { mutate, isPending } = useMessageChange('retry', message)
  return (
    <p className={styles['failed']}>
      <b>{error?.title ?? 'Not delivered'}.</b> {error?.nextStep}{' '}
      <Button size="small" loading={isPending} onClick={() => mutate(undefined)}>
        Retry
      </Button>
    </p>
  )
}

function InDoubt() {
  return <p className={styles['state']}>WhatsApp has not confirmed it yet. It is not sent again by itself.</p>
}

function Unconfirmed({ message }: { message: Message }) {
  const { mutate, isPending } = useMessageChange('retry', message)
  return (
    <p className={styles['state']}>
      <b>Not confirmed.</b> WhatsApp has not said whether it was sent. Sending it again may deliver it twice.{' '}
      <Button size="small" loading={isPending} onClick={() => mutate(undefined)}>
        Send again
      </Button>
    </p>
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
