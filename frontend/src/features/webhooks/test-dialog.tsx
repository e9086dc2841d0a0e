import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { useLast } from '../../lib/use-last.ts'
import { InfoDialog } from '../../ui/dialog.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { deliveryOptions, useTestWebhook } from './api.ts'
import { DeliveryParts } from './delivery-parts.tsx'
import styles from './webhooks.module.css'

/** Sends a sample event to a webhook, and follows its delivery. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  return (
    <InfoDialog open={webhook !== undefined} width={640} title={`Test ${shown?.name ?? 'webhook'}`} onClose={onClose}>
      {shown && <TestRequest key={shown.id} webhook={shown} />}
    </InfoDialog>
  )
}

const reasonOf = ({ sample, status }: Webhook): string | undefined => {
  if (sample) return 'This webhook is part of the sample data and is never called. Create one of your own to test it.'
  return status === 'disabled' ? 'This webhook is disabled. Enable it first.' : undefined
}

function TestRequest({ webhook }: { webhook: Webhook }) {
  const id = useId()
  const [event, setEvent] = useState<WebhookEvent>(webhook.events[0] ?? 'message.received')
  const [deliveryId, setDeliveryId] = useState<string>()
  const test = useTestWebhook()
  const reason = reasonOf(webhook)
  const send = async () => {
    try {
      setDeliveryId((await test.mutateAsync({ id: webhook.id, type: event })).id)
    } catch (error) {
      toast.error(explain(error, 'The test could not be sent. Try again.'))
    }
  }
  return (
    <div className={styles['test']}>
      {reason && <Alert type="info" role="status" title={reason} />}
      <div className={styles['testFields']}>
        <div>
          <label htmlFor={`${id}-event`}>Event</label>
          <Select
            id={`${id}-event`}
            value={event}
            onChange={setEvent}
            options={webhook.events.map((value) => ({ value, label: value }))}
          />
        </div>
        <Button type="primary" disabled={reason !== undefined} loading={test.isPending} onClick={() => void send()}>
          Send Test
        </Button>
      </div>
      <p className={styles['quiet']}>
        A sample event with <code>"test": true</code> is signed and sent as any other, and is in the delivery log.
      </p>
      {deliveryId && <Sent webhookId={webhook.id} deliveryId={deliveryId} />}
    </div>
  )
}

function Sent({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { data } = useQuery(deliveryOptions(webhookId, deliveryId))
  if (!data) return <SkeletonBar height="120px" />
  return <DeliveryParts delivery={data} />
}
