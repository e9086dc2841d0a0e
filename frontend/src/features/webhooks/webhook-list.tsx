import type { Webhook } from '@parley/contracts/platform/webhooks'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import table from '../../ui/table.module.css'
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
  return useIsMobile() ? <WebhookCards {...props} /> : <WebhookTable {...props} />
}

function WebhookTable({ webhooks, now, timeZone, onOpen, ...actions }: Props) {
  const isNarrow = useMedia('(max-width: 1279px)')
  return (
    <div className={table['frame']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Webhook</th>
            <th scope="col">Events</th>
            <th scope="col">Status</th>
            <th scope="col">Last triggered</th>
            <th scope="col" className={table['number']}>
              Total calls
            </th>
            <th scope="col" className={table['number']}>
              Success rate
            </th>
            <th scope="col" className={table['actions']}>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <td className={styles['target']}>
                <NameAndUrl webhook={webhook} onOpen={onOpen} />
                <Failing webhook={webhook} now={now} timeZone={timeZone} />
              </td>
              <td>
                <Events events={webhook.events} {...(isNarrow && { most: 1 })} />
              </td>
              <td>
                <WebhookStatus status={webhook.status} />
              </td>
              <td className={styles['when']}>
                <LastTriggered at={webhook.lastTriggeredAt} now={now} timeZone={timeZone} />
              </td>
              <td className={table['number']}>{formatCount(webhook.totalCalls)}</td>
              <td className={table['number']}>
                <SuccessRate webhook={webhook} />
              </td>
              <td className={table['actions']}>
                <WebhookButtons webhook={webhook} {...actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
