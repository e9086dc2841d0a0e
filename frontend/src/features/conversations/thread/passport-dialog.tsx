import type { Conversation } from '@parley/contracts/inbox/conversations'
import { messagesApi, type Passport } from '@parley/contracts/inbox/message-endpoints'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { useMemberName } from '../../../lib/choices/members.ts'
import { formatMicros } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { conversationKeys } from '../../../lib/query-keys.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useOwnId } from '../../../lib/user.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { InfoDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import styles from './passport-dialog.module.css'
import { PassportError } from './passport-error.tsx'

/** Dialog with everything that is known of one message. */
export function PassportDialog({
  conversation,
  messageId,
  onTemplate,
  onClose,
}: {
  conversation: Conversation
  messageId: string
  /** Opens what sends a template instead. */
  onTemplate: () => void
  onClose: () => void
}) {
  const { data, isLoadingError, refetch, dataUpdatedAt } = useQuery({
    queryKey: conversationKeys.passport(messageId),
    queryFn: ({ signal }) => call(messagesApi.passport, { params: { id: conversation.id, messageId }, signal }),
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
      {data?.error && (
        <PassportError error={data.error} message={data.message} {...{ conversation, onTemplate, onClose }} />
      )}
      {data && <Details passport={data} timeZone={timeZone} />}
    </InfoDialog>
  )
}

const causes = {
  bot: 'A bot',
  workflow: 'A workflow',
  api: 'The API',
  customer: 'The customer',
  phone_app: 'A colleague in the WhatsApp Business app',
  system: 'An automatic reply',
} as const

/** Shows the author or origin of the message, with a link. */
function Cause({ passport: { message, campaign } }: { passport: Passport }) {
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const { kind, id } = message.cause
  switch (kind) {
    case 'member':
      return <bdi>{id === ownId ? 'You' : (nameOf(id) ?? 'A member of the team')}</bdi>
    case 'campaign':
      return (
        <Link to={`/broadcasts?id=${id}`}>
          <bdi>{campaign?.name ?? 'A campaign'}</bdi>
        </Link>
      )
    case 'bot':
      return <Link to={`/bots?bot=${id}`}>{causes.bot}</Link>
    case 'workflow':
      return <Link to={`/workflows?workflow=${id}`}>{causes.workflow}</Link>
    default:
      return causes[kind]
  }
}

/** Returns the labels of the price, which WhatsApp charges for delivered messages. */
function priceLabels({ billable, category, chargedAt, price }: NonNullable<Passport['pricing']>): string {
  if (!billable) return `Free (${category})`
  if (!chargedAt) return `Billed as ${category} once it has arrived`
  if (!price) return `Billed as ${category}`
  return `Billed as ${category}: ${formatMicros(price.micros, price.currency, { exact: true })} by your prices`
}

function Details({ passport, timeZone }: { passport: Passport; timeZone: string }) {
  const { message, waMessageId, formerWaMessageIds = [], timeline, pricing, exchange } = passport
  return (
    <div className={styles['passport']}>
      <dl className={styles['facts']}>
        <div>
          <dt>Written by</dt>
          <dd>
            <Cause passport={passport} />
          </dd>
        </div>
        {message.content.type === 'template' && (
          <div>
            <dt>Template</dt>
            <dd>
              {message.content.name}
              {message.content.templateVersion !== undefined && `, version ${message.content.templateVersion}`}
            </dd>
          </div>
        )}
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
        {formerWaMessageIds.map((former) => (
          <div key={former}>
            <dt>WhatsApp’s ID of an earlier attempt</dt>
            <dd>
              <Copyable what="WhatsApp’s ID of an earlier attempt" text={former} />
            </dd>
          </div>
        ))}
        {pricing && (
          <div>
            <dt>Price</dt>
            <dd>{priceLabels(pricing)}</dd>
          </div>
        )}
      </dl>
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
                {direction === 'in' ? 'Received' : 'Request, reconstructed from the message'},{' '}
                {fullTime(new Date(at), timeZone)}
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
