import BellOutlined from '@ant-design/icons/BellOutlined'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLoaded } from '../../lib/use-loaded.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Popover } from '../../ui/popover.tsx'
import { notificationsOptions, unreadIn } from './api.ts'
import styles from './notifications.module.css'

const loadPanel = async () => (await import('./notifications-panel.tsx')).NotificationsPanel

/** The bell of the header with how many notifications are unread. */
export function NotificationsButton() {
  const [open, setOpen] = useState(false)
  const { data } = useInfiniteQuery(notificationsOptions())
  const unread = unreadIn(data)
  return (
    <Popover
      label="Notifications"
      open={open}
      onOpenChange={setOpen}
      align="end"
      button={
        <IconButton label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}>
          <span className={styles['bell']}>
            <BellOutlined aria-hidden />
            {unread > 0 && <span className={styles['dot']} />}
          </span>
        </IconButton>
      }
    >
      <Panel onClose={() => setOpen(false)} />
    </Popover>
  )
}

function Panel({ onClose }: { onClose: () => void }) {
  const NotificationsPanel = useLoaded(loadPanel)
  if (NotificationsPanel) return <NotificationsPanel onClose={onClose} />
  return (
    <div className={styles['panel']}>
      <Loading />
    </div>
  )
}
