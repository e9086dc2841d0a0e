import type { Webhook } from '@parley/contracts/platform/webhooks'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { type Column, RecordTable } from '../../ui/record-table.tsx'
import { useIsMobile, useMedia } from '../../ui/use-media.ts'
import { failingLine } from './webhook-labels.ts'
import {
  Events,
  LastTriggered,
  NameAndUrl,
  SuccessRate,
  type WebhookActions,
  WebhookButtons,
  WebhookStatus,
} from './webhook-parts.tsx'
import styles from './webhooks.module.css'

interface Props extends WebhookActions {
  readonly webhooks: readonly Webhook[]
  readonly now: Date
  readonly timeZone: string
}

/** A table above 768 px, cards below. */
export function WebhookList(props: Props) {
  const isMobile = useIsMobile()
  const isNarrow = useMedia('(max-width: 1279px)')
  const { webhooks, now, timeZone, onOpen, ...actions } = props
  if (isMobile) return <WebhookCards {...props} />
  const columns: readonly Column<Webhook>[] = [
    {
      heading: 'Webhook',
      className: styles['target'],
      cell: (webhook) => (
        <>
          <NameAndUrl webhook={webhook} onOpen={onOpen} />
          <Failing webhook={webhook} now={now} timeZone={timeZone} />
        </>
      ),
    },
    { heading: 'Events', cell: ({ events }) => <Events events={events} {...(isNarrow && { most: 1 })} /> },
    { heading: 'Status', cell: ({ status }) => <WebhookStatus status={status} /> },
    {
      heading: 'Last triggered',
      className: styles['when'],
      cell: ({ lastTriggeredAt }) => <LastTriggered at={lastTriggeredAt} now={now} timeZone={timeZone} />,
    },
    { heading: 'Total calls', isNumber: true, cell: ({ totalCalls }) => formatCount(totalCalls) },
    { heading: 'Success rate', isNumber: true, cell: (webhook) => <SuccessRate webhook={webhook} /> },
  ]
  return (
    <RecordTable
      records={webhooks}
      columns={columns}
      actions={(webhook) => <WebhookButtons webhook={webhook} {...actions} />}
    />
  )
}

function WebhookCards({ webhooks, now, timeZone, onOpen, ...actions }: Props) {
  return (
    <ul className={cards['grid']}>
      {webhooks.map((webhook) => (
        <li key={webhook.id} className={cards['card']}>
          <div className={styles['target']}>
            <NameAndUrl webhook={webhook} onOpen={onOpen} />
            <Failing webhook={webhook} now={now} timeZone={timeZone} />
          </div>
          <Events events={webhook.events} />
          <dl className={cards['facts']}>
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
          <div className={styles['foot']}>
            <WebhookStatus status={webhook.status} />
            <WebhookButtons webhook={webhook} {...actions} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Failing({ webhook, now, timeZone }: { webhook: Webhook; now: Date; timeZone: string }) {
  const line = failingLine(webhook, now, timeZone)
  return line && <span className={styles['failing']}>{line}</span>
}
