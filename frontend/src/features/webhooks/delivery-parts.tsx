import type { DeliveryDetail } from '@parley/contracts/platform/webhooks'
import { Alert } from 'antd'
import { useClock } from '../../lib/use-clock.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { answerLabel, deliveryLabel, momentOf } from './webhook-labels.ts'
import styles from './webhooks.module.css'

/** A delivery: what has come of it, each attempt with its answer, and its body. */
export function DeliveryParts({ delivery }: { delivery: DeliveryDetail }) {
  const { now, timeZone } = useClock(0)
  const { word, tone } = deliveryLabel(delivery)
  const { body, differs, log, nextAttemptAt, eventId } = delivery
  return (
    <div className={styles['test']}>
      <p className={styles['outcome']} role="status">
        <StatusBadge tone={tone}>{word}</StatusBadge>
        {nextAttemptAt && delivery.attempts > 0 && <span>Next attempt: {momentOf(nextAttemptAt, now, timeZone)}</span>}
      </p>
      <p className={styles['url']}>
        <span className={styles['quiet']}>webhook-id</span>&nbsp;<code>{eventId}</code>
        <CopyButton what="webhook-id" text={eventId} />
      </p>
      {log.length > 0 && (
        <ol className={styles['attempts']} aria-label="Attempts">
          {log.map((attempt) => (
            <li key={attempt.at}>
              <span>
                <b>{answerLabel(attempt)}</b> after {attempt.ms} ms ·{' '}
                <Timestamp at={attempt.at} now={now} timeZone={timeZone} />
              </span>
              {attempt.answer && <pre>{attempt.answer}</pre>}
            </li>
          ))}
        </ol>
      )}
      {body === null ? (
        <p className={styles['quiet']}>The event is no longer kept, so its body cannot be shown.</p>
      ) : (
        <Part title="Body" text={pretty(body)} copied={body} />
      )}
      {differs && (
        <Alert
          type="info"
          role="status"
          title="A record has changed since: this is not the body that was sent. Bodies are never stored."
        />
      )}
    </div>
  )
}

const pretty = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

function Part({ title, text, copied }: { title: string; text: string; copied: string }) {
  return (
    <section className={styles['part']}>
      <div className={styles['partHead']}>
        <h2>{title}</h2>
        <CopyButton what="body" text={copied} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}
