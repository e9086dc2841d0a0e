import BellOutlined from '@ant-design/icons/BellOutlined'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { notificationsOptions } from './api.ts'
import styles from './notifications.module.css'
import { NotificationsPanel } from './notifications-panel.tsx'

/** The bell of the header with how many notifications are unread. */
export function NotificationsButton() {
  const [open, setOpen] = useState(false)
  const { data } = useQuery(notificationsOptions())
  const unread = data?.unread ?? 0
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
      <NotificationsPanel onClose={() => setOpen(false)} />
    </Popover>
  )
}
