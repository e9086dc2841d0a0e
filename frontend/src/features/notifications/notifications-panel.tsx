import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { Notification } from '@parley/contracts/platform/notifications'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { counted } from '../../lib/format.ts'
import { inboxSummaryOptions } from '../../lib/inbox-summary.ts'
import { Link } from '../../lib/navigation.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Controls } from '../../ui/controls.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/timestamp.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { notificationsOptions, unreadIn, useMarkRead } from './api.ts'
import styles from './notifications.module.css'

const severities = {
  info: { Icon: InfoCircleOutlined, word: 'Note' },
  success: { Icon: CheckCircleOutlined, word: 'Done' },
  warning: { Icon: WarningOutlined, word: 'Warning' },
  error: { Icon: CloseCircleOutlined, word: 'Problem' },
} as const

/** Lists recent notifications; each links to its subject. */
export function NotificationsPanel({ onClose }: { onClose: () => void }) {
  return (
    <Controls>
      <Panel onClose={onClose} />
    </Controls>
  )
}

function Panel({ onClose }: { onClose: () => void }) {
  const { data, dataUpdatedAt, isLoadingError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(notificationsOptions())
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const clock = useClock(dataUpdatedAt)
  const markRead = useMarkRead()
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <h2>Notifications</h2>
        <Button type="text" size="small" disabled={unreadIn(data) === 0} onClick={() => markRead.mutate('all')}>
          Mark all as read
        </Button>
      </div>
      <UnreadMessages onOpen={onClose} />
      {isLoadingError ? (
        <ErrorState
          title="Notifications could not be loaded"
          message="Nothing is lost. Try again."
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonBlocks count={4} height="64px" />
      ) : items.length === 0 ? (
        <p className={styles['none']}>You are all caught up. Anything that needs your attention appears here.</p>
      ) : (
        <ul className={styles['list']}>
          {items.map((notification) => (
            <Item
              key={notification.id}
              notification={notification}
              clock={clock}
              onOpen={() => {
                markRead.mutate(notification)
                onClose()
              }}
            />
          ))}
          {hasNextPage && (
            <li className={styles['more']}>
              <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show earlier ones
              </Button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

/** Leads to the messages that nobody has read: each is no notification of its own. */
function UnreadMessages({ onOpen }: { onOpen: () => void }) {
  const unread = useQuery(inboxSummaryOptions()).data?.unread ?? 0
  if (unread === 0) return null
  return (
    <Link to="/conversations?show=unread" className={[styles['item'], styles['messages']].join(' ')} onClick={onOpen}>
      <MessageOutlined aria-hidden="true" className={styles['icon'] ?? ''} />
      <span className={styles['words']}>
        <b>{counted(unread, 'unread message')}</b>
      </span>
    </Link>
  )
}

function Item({
  notification,
  clock,
  onOpen,
}: {
  notification: Notification
  clock: { now: Date; timeZone: string }
  onOpen: () => void
}) {
  const { severity, title, body, action, at, readAt } = notification
  const { Icon, word } = severities[severity]
  return (
    <li>
      <Tooltip text={fullTime(new Date(at), clock.timeZone)} side="left">
        <Link to={linkOf(notification)} className={styles['item']} data-severity={severity} onClick={onOpen}>
          <Icon role="img" aria-label={word} className={styles['icon'] ?? ''} />
          <span className={styles['words']}>
            <b dir="auto">{title}</b>
            <span>{body}</span>
            {action && <span className={styles['action']}>{action}</span>}
            <RelativeTime at={at} {...clock} />
          </span>
          {!readAt && <span className={styles['unread']} role="img" aria-label="Unread" />}
        </Link>
      </Tooltip>
    </li>
  )
}

/** Address for each kind of object; anything else leads to the dashboard. */
const places: Readonly<Record<string, (id: string) => string>> = {
  campaign: (id) => `/broadcasts?id=${id}`,
  approval: () => '/settings?tab=account#approvals',
  draft: (id) => `/broadcasts?draft=${id}&step=review`,
  template: (id) => `/templates?edit=${id}`,
  bot: (id) => `/bots?bot=${id}`,
  bot_sessions: (id) => `/bots?bot=${id}&panel=sessions`,
  workflow_runs: (id) => `/workflows?workflow=${id}&panel=runs`,
  bot_attention: () => '/bots?show=attention',
  number: (id) => `/whatsapp-numbers?configure=${id}`,
  number_health: (id) => `/whatsapp-numbers?checks=${id}`,
  webhook: (id) => `/webhooks?webhook=${id}`,
  // Notices of earlier versions name no day.
  analytics: (lastDay) => `/analytics?period=7d${lastDay === 'week' ? '' : `&to=${lastDay}`}`,
  billing: () => '/settings?tab=billing',
  api_key: () => '/settings?tab=keys',
  workspace_export: () => '/settings?tab=account#export',
  contact_merges: () => '/contacts?duplicates=1',
  import: (id) => `/contacts?import=${id}`,
  conversation: (id) => `/conversations?id=${id}`,
}

/** The screen that shows what a notification is about. */
const linkOf = ({ object: { kind, id } }: Pick<Notification, 'object'>): string => places[kind]?.(id) ?? '/dashboard'
