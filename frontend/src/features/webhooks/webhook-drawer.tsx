import type { Webhook } from '@parley/contracts/platform/webhooks'
import { Alert, Button, Tabs } from 'antd'
import { useState } from 'react'
import { useMay } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useLast } from '../../lib/use-last.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { HistoryLink } from '../../ui/history-link.tsx'
import { toast } from '../../ui/toast.ts'
import { useEnableWebhook } from './api.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { ReplayDialog, ReplayStrip } from './replay-dialog.tsx'
import { SecretTab } from './secret-tab.tsx'
import type { NewKey } from './webhook-dialog.tsx'
import { drawerTabs, failingLine } from './webhook-labels.ts'
import { Events, LastTriggered, SuccessRate, WebhookStatus } from './webhook-parts.tsx'
import styles from './webhooks.module.css'

type Tab = (typeof drawerTabs)[number]

interface Props {
  readonly webhook: Webhook | undefined
  readonly tab: Tab
  /** Delivery that is opened. */
  readonly delivery: string | undefined
  readonly onTab: (tab: Tab) => void
  readonly onDelivery: (deliveryId: string | undefined) => void
  readonly onConfigure: (webhook: Webhook) => void
  readonly onKey: (made: NewKey) => void
  readonly onClose: () => void
}

/** One webhook over the list: its deliveries, its settings, its key. */
export function WebhookDrawer({ webhook, onClose, ...props }: Props) {
  const shown = useLast(webhook)
  return (
    <DetailsDrawer
      open={webhook !== undefined}
      onClose={onClose}
      what="webhook"
      width={560}
      record={{ data: shown, error: null, isFetching: false, refetch: () => undefined }}
      title={({ name }) => <span dir="auto">{name}</span>}
      footer={({ id }) => <HistoryLink id={id} />}
      failure="The webhook could not be loaded."
      className={styles['test']}
    >
      {(record) => <Details webhook={record} {...props} />}
    </DetailsDrawer>
  )
}

function Details({
  webhook,
  tab,
  delivery,
  onTab,
  onDelivery,
  onConfigure,
  onKey,
}: Omit<Props, 'webhook' | 'onClose'> & { webhook: Webhook }) {
  const [asks, setAsks] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const mayReplay = useMay('webhooks:replay')
  return (
    <>
      <State webhook={webhook} onEnabled={() => setAsks(true)} />
      {jobId && <ReplayStrip webhookId={webhook.id} jobId={jobId} onHide={() => setJobId(undefined)} />}
      <Tabs
        activeKey={tab}
        onChange={(key) => onTab(drawerTabs.find((known) => known === key) ?? 'deliveries')}
        items={[
          {
            key: 'deliveries',
            label: 'Deliveries',
            children: (
              <DeliveryLog webhook={webhook} opened={delivery} onOpen={onDelivery}>
                {mayReplay && !webhook.sample && webhook.status !== 'disabled' && (
                  <Button onClick={() => setAsks(true)}>Replay range</Button>
                )}
              </DeliveryLog>
            ),
          },
          { key: 'settings', label: 'Settings', children: <Settings webhook={webhook} onConfigure={onConfigure} /> },
          { key: 'secret', label: 'Secret', children: <SecretTab webhook={webhook} onKey={onKey} /> },
        ]}
      />
      <ReplayDialog webhook={webhook} open={asks} onClose={() => setAsks(false)} onStarted={setJobId} />
    </>
  )
}

const disabledReasons = {
  failing: 'Disabled: its server failed for five days. Nothing is sent to it.',
  gone: 'Disabled: its server answered that the address is gone (410). Nothing is sent to it.',
} as const

function State({ webhook, onEnabled }: { webhook: Webhook; onEnabled: () => void }) {
  const { now, timeZone } = useClock(0)
  const mayWrite = useMay('webhooks:write')
  const enable = useEnableWebhook()
  const failing = failingLine(webhook, now, timeZone)
  if (webhook.status === 'active') return null
  const act = async () => {
    const wasDisabled = webhook.status === 'disabled'
    try {
      await enable.mutateAsync(webhook.id)
      toast.success(`${webhook.name} is active.`)
      // Events of the meantime were not recorded for it.
      if (wasDisabled) onEnabled()
    } catch (error) {
      toast.error(explain(error, 'The webhook could not be enabled. Try again.'))
    }
  }
  return (
    <Alert
      type={webhook.status === 'disabled' ? 'error' : 'warning'}
      role="status"
      title={failing ?? disabledReasons[webhook.disabledFor ?? 'failing']}
      action={
        mayWrite &&
        !webhook.sample && (
          <Button size="small" loading={enable.isPending} onClick={() => void act()}>
            {webhook.status === 'disabled' ? 'Enable' : 'Try Now'}
          </Button>
        )
      }
    />
  )
}

function Settings({ webhook, onConfigure }: { webhook: Webhook; onConfigure: (webhook: Webhook) => void }) {
  const { now, timeZone } = useClock(0)
  const mayWrite = useMay('webhooks:write')
  return (
    <div className={styles['test']}>
      <dl className={styles['facts']}>
        <div>
          <dt>URL</dt>
          <dd>
            <Copyable what={`URL of ${webhook.name}`} text={webhook.url} />
            {mayWrite === false && (
              <span className={styles['quiet']}>Only those who may change webhooks see its path.</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <WebhookStatus status={webhook.status} />
          </dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>
            <Events events={webhook.events} most={8} />
          </dd>
        </div>
        <div>
          <dt>Last triggered</dt>
          <dd>
            <LastTriggered at={webhook.lastTriggeredAt} now={now} timeZone={timeZone} />
          </dd>
        </div>
        <div>
          <dt>Total calls</dt>
          <dd>{formatCount(webhook.totalCalls)}</dd>
        </div>
        <div>
          <dt>Success rate</dt>
          <dd>
            <SuccessRate webhook={webhook} />
          </dd>
        </div>
      </dl>
      {mayWrite && (
        <div>
          <Button onClick={() => onConfigure(webhook)}>Configure</Button>
        </div>
      )}
    </div>
  )
}
