import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { useIsRefused } from '../../lib/choices/members.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Pill } from '../../ui/pill.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { statusLabels } from './webhook-labels.ts'
import styles from './webhooks.module.css'

export interface WebhookActions {
  /** Leads to its deliveries. */
  readonly onOpen: (webhook: Webhook) => void
  readonly onTest: (webhook: Webhook) => void
  readonly onConfigure: (webhook: Webhook) => void
  readonly onDelete: (webhook: Webhook) => void
}

type Buttons = Omit<WebhookActions, 'onOpen'> & { webhook: Webhook }

export function WebhookButtons({ webhook, onTest, onConfigure, onDelete }: Buttons) {
  if (useIsRefused('webhooks:write')) return null
  const buttons = [
    { verb: 'Test', Icon: SendOutlined, act: onTest },
    { verb: 'Configure', Icon: SettingOutlined, act: onConfigure },
    { verb: 'Delete', Icon: DeleteOutlined, act: onDelete },
  ]
  return (
    <span className={styles['buttons']}>
      {buttons.map(({ verb, Icon, act }) => (
        <Tooltip key={verb} text={verb}>
          <IconButton label={`${verb} ${webhook.name}`} onClick={() => act(webhook)}>
            <Icon aria-hidden />
          </IconButton>
        </Tooltip>
      ))}
    </span>
  )
}

export function WebhookStatus({ status }: Pick<Webhook, 'status'>) {
  const { word, tone } = statusLabels[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

/** The first events, and how many more there are; all of them on hover and focus. */
export function Events({ events, most = 2 }: Pick<Webhook, 'events'> & { most?: number }) {
  const rest = events.slice(most)
  return (
    <ul className={styles['events']} aria-label="Events">
      {events.slice(0, most).map((event) => (
        <li key={event}>
          <Pill>{event}</Pill>
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          <Tooltip text={rest.join(', ')}>
            <button type="button" className={styles['more']} aria-label={`${rest.length} more: ${rest.join(', ')}`}>
              +{rest.length} more
            </button>
          </Tooltip>
        </li>
      )}
    </ul>
  )
}

export function NameAndUrl({ webhook, onOpen }: Pick<WebhookActions, 'onOpen'> & { webhook: Webhook }) {
  const { name, url } = webhook
  return (
    <>
      <button type="button" className={styles['name']} dir="auto" title={name} onClick={() => onOpen(webhook)}>
        {name}
      </button>
      <span className={styles['url']}>
        <Copyable what={`URL of ${name}`} text={url} />
      </span>
    </>
  )
}

export function LastTriggered({ at, now, timeZone }: { at: string | null; now: Date; timeZone: string }) {
  return at === null ? (
    <span className={styles['quiet']}>Never</span>
  ) : (
    <Timestamp at={at} now={now} timeZone={timeZone} />
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** A webhook that was never called has no rate. */
export function SuccessRate({ webhook: { totalCalls, successRate } }: { webhook: Webhook }) {
  if (totalCalls === 0 || successRate === null) return <span className={styles['quiet']}>–</span>
  return (
    <span className={styles['rate']} data-tone={successRate >= 99 ? 'good' : successRate >= 95 ? 'fair' : 'bad'}>
      {percent.format(successRate / 100)}
    </span>
  )
}
