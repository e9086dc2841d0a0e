import type { NumberEvent, WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useId } from 'react'
import { useClock } from '../../lib/use-clock.ts'

import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { numberEventsOptions } from './api.ts'
import styles from './checks-dialog.module.css'

const tones: Readonly<Record<NumberEvent['severity'], { tone: Tone; word: string }>> = {
  info: { tone: 'info', word: 'News' },
  success: { tone: 'success', word: 'Good' },
  warning: { tone: 'warning', word: 'Warning' },
  error: { tone: 'danger', word: 'Problem' },
}

/** Shows WhatsApp's last call, and its notices about the number and its account. */
export function NumberEvents({ number: { id, webhook } }: { number: WhatsAppNumber }) {
  const headingId = useId()
  const { data, dataUpdatedAt, isLoadingError, refetch } = useQuery(numberEventsOptions(id))
  const clock = useClock(dataUpdatedAt)
  return (
    <section className={styles['events']} aria-labelledby={headingId}>
      <h2 id={headingId}>News from WhatsApp</h2>
      <p>
        {webhook.lastEventAt ? (
          <>
            Last webhook: <Timestamp {...clock} at={webhook.lastEventAt} />
          </>
        ) : (
          'No webhook has come yet.'
        )}
      </p>
      {isLoadingError && (
        <p role="alert">
          The news could not be loaded. <Button onClick={() => void refetch()}>Retry</Button>
        </p>
      )}
      {data?.items.length === 0 && (
        <p>No updates from WhatsApp about this number or its account in the last 90 days.</p>
      )}
      {data && data.items.length > 0 && (
        <ul>
          {data.items.map(({ id: eventId, at, severity, title, body }) => (
            <li key={eventId} className={styles['step']}>
              <span className={styles['head']}>
                <b dir="auto">{title}</b>
                <StatusBadge tone={tones[severity].tone}>{tones[severity].word}</StatusBadge>
              </span>
              {body && <p dir="auto">{body}</p>}
              <p>
                <Timestamp {...clock} at={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
