import type { Conversation } from '@parley/contracts/conversations'
import { messagesApi, type Passport } from '@parley/contracts/message-endpoints'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { conversationKeys } from '../../lib/query-keys.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { InfoDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonBar } from '../../ui/skeleton.tsx'
import styles from './passport-dialog.module.css'

const causes = {
  member: 'A member of the team',
  campaign: 'A campaign',
  bot: 'A bot',
  workflow: 'A workflow',
  api: 'The API',
  customer: 'The customer',
} as const

/** Everything that is known of one message. */
export function PassportDialog({
  conversation: { id },
  messageId,
  onClose,
}: {
  conversation: Conversation
  messageId: string
  onClose: () => void
}) {
  const { data, isLoadingError, refetch, dataUpdatedAt } = useQuery({
    queryKey: conversationKeys.passport(messageId),
    queryFn: ({ signal }) => call(messagesApi.passport, { params: { id, messageId }, signal }),
    staleTime: 0,
  })
  const { timeZone } = useClock(dataUpdatedAt)
  return (
    <InfoDialog open title="Message details" width={560} onClose={onClose}>
      {isLoadingError && <ErrorState message="The details could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isLoadingError && (
        <Skeleton>
          <SkeletonBar height="24px" />
          <SkeletonBar height="160px" />
        </Skeleton>
      )}
      {data && <Details passport={data} timeZone={timeZone} />}
    </InfoDialog>
  )
}

function Details({ passport, timeZone }: { passport: Passport; timeZone: string }) {
  const { message, waMessageId, timeline, pricing, error, exchange } = passport
  return (
    <div className={styles['passport']}>
      <dl className={styles['facts']}>
        <div>
          <dt>Written by</dt>
          <dd>{causes[message.cause.kind]}</dd>
        </div>
        <div>
          <dt>Message ID</dt>
          <dd>
            <Copyable what="message ID" text={message.id} />
          </dd>
        </div>
        {waMessageId && (
          <div>
            <dt>WhatsApp’s ID</dt>
            <dd>
              <Copyable what="WhatsApp’s ID" text={waMessageId} />
            </dd>
          </div>
        )}
        {pricing && (
          <div>
            <dt>Price</dt>
            <dd>{pricing.billable ? `Billed as ${pricing.category}` : `Free (${pricing.category})`}</dd>
          </div>
        )}
      </dl>
      {error && (
        <p className={styles['error']}>
          <b>{error.title}</b> (code {error.code}). {error.details} {error.nextStep}
        </p>
      )}
      <h3>What happened</h3>
      <ol className={styles['timeline']}>
        {timeline.map(({ at, kind, text }) => (
          <li key={`${at} ${kind} ${text}`}>
            <time dateTime={at}>{fullTime(new Date(at), timeZone)}</time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {exchange && exchange.length > 0 && (
        <details>
          <summary>What was exchanged with WhatsApp</summary>
          {exchange.map(({ at, direction, body }) => (
            <figure key={`${at} ${direction}`} className={styles['exchange']}>
              <figcaption>
                {direction === 'in' ? 'Received' : 'Sent'}, {fullTime(new Date(at), timeZone)}
              </figcaption>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than its place, and the keyboard must scroll it. */}
              <pre tabIndex={0}>{body}</pre>
            </figure>
          ))}
        </details>
      )}
    </div>
  )
}
