import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import ExclamationCircleFilled from '@ant-design/icons/ExclamationCircleFilled'
import type { MessageStatus } from '@parley/contracts/inbox/messages'
import styles from './ticks.module.css'

const words = {
  queued: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not delivered',
} as const

/** One grey tick: sent; two grey: delivered; two in the accent colour: read. Each has its word as name. */
export function Ticks({ status }: { status: MessageStatus }) {
  return (
    <span className={styles['ticks']} data-status={status} role="img" aria-label={words[status]} title={words[status]}>
      {status === 'queued' && <ClockCircleOutlined aria-hidden />}
      {status === 'failed' && <ExclamationCircleFilled aria-hidden />}
      {status !== 'queued' && status !== 'failed' && (
        <svg viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">
          <path d="M1 6.5 4.5 10 11 2.5" />
          {status !== 'sent' && <path d="M8.5 9 9.5 10 16.5 2.5" />}
        </svg>
      )}
    </span>
  )
}
