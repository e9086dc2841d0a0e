import { webhookEvents } from '@parley/contracts/platform/public-events'
import type { Webhook, WebhookDelivery } from '@parley/contracts/platform/webhooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { useClock } from '../../lib/use-clock.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import { deliveryLogOptions, deliveryOptions, type LogFilter, useReplay } from './api.ts'
import { DeliveryParts } from './delivery-parts.tsx'
import { answerLabel, deliveryLabel } from './webhook-labels.ts'
import styles from './webhooks.module.css'

const choices = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'waiting', label: 'Waiting' },
] as const

/** Deliveries of a webhook, the newest first. @param opened the one whose attempts and body are shown. */
export function DeliveryLog({
  webhook,
  opened,
  onOpen,
  children,
}: {
  webhook: Webhook
  opened: string | undefined
  onOpen: (deliveryId: string | undefined) => void
  /** Actions on many of them. */
  children: ReactNode
}) {
  const [filter, setFilter] = useState<LogFilter>({ shown: 'all', type: undefined })
  const log = useInfiniteQuery(deliveryLogOptions(webhook.id, filter))
  const items = log.data?.pages.flatMap((page) => page.items)
  if (opened) return <Opened webhook={webhook} deliveryId={opened} onBack={() => onOpen(undefined)} />
  return (
    <div className={styles['test']}>
      <div className={styles['filters']}>
        <Segmented
          aria-label="Deliveries"
          options={[...choices]}
          value={filter.shown}
          onChange={(shown) => setFilter({ ...filter, shown })}
        />
        <Select
          aria-label="Event"
          allowClear
          placeholder="Any event"
          value={filter.type}
          onChange={(type) => setFilter({ ...filter, type })}
          options={webhookEvents.map((value) => ({ value, label: value }))}
        />
        {children}
      </div>
      {!items && log.isLoadingError && (
        <ErrorState message="The delivery log could not be loaded." onRetry={() => void log.refetch()} />
      )}
      {!items && !log.isLoadingError && <SkeletonBar height="240px" />}
      {items?.length === 0 && (
        <p className={styles['quiet']}>
          {webhook.sample
            ? 'This webhook is part of the sample data: its figures are examples, and it is never called.'
            : 'Nothing here yet. What is delivered stays for 7 days, everything else for 30.'}
        </p>
      )}
      {items && items.length > 0 && (
        <ol className={styles['log']} aria-label="Delivery log">
          {items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} onOpen={() => onOpen(delivery.id)} />
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <div>
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show earlier
          </Button>
        </div>
      )}
    </div>
  )
}

function Row({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen: () => void }) {
  const { now, timeZone } = useClock(0)
  const { word, tone } = deliveryLabel(delivery)
  return (
    <li>
      <button type="button" className={styles['row']} onClick={onOpen}>
        <span className={styles['rowHead']}>
          <b>{delivery.type}</b>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
        <span className={styles['quiet']}>
          {delivery.test && 'Test · '}
          {delivery.attempts === 0
            ? 'Not attempted yet'
            : `Answer ${answerLabel(delivery.last)} · ${delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}`}
          {' · '}
          <Timestamp at={delivery.at} now={now} timeZone={timeZone} />
        </span>
      </button>
    </li>
  )
}

function Opened({ webhook, deliveryId, onBack }: { webhook: Webhook; deliveryId: string; onBack: () => void }) {
  const { data, isLoadingError, refetch } = useQuery(deliveryOptions(webhook.id, deliveryId))
  const mayReplay = useMay('webhooks:replay')
  const replay = useReplay()
  const again = async () => {
    try {
      await replay.mutateAsync({ id: webhook.id, deliveryId })
      toast.success('The event is sent again.')
    } catch (error) {
      toast.error(explain(error, 'The event could not be sent again. Try again.'))
    }
  }
  const isOver = data && data.state !== 'due' && data.state !== 'sending'
  return (
    <div className={styles['test']}>
      <div className={styles['filters']}>
        <Button onClick={onBack}>All deliveries</Button>
        {mayReplay && isOver && webhook.status !== 'disabled' && !data.test && (
          <Button loading={replay.isPending} onClick={() => void again()}>
            Replay
          </Button>
        )}
      </div>
      {isLoadingError && <ErrorState message="This delivery is no longer in the log." onRetry={() => void refetch()} />}
      {!data && !isLoadingError && <SkeletonBar height="240px" />}
      {data && (
        <>
          <h2 className={styles['event']}>{data.type}</h2>
          <DeliveryParts delivery={data} />
        </>
      )}
    </div>
  )
}
