import BellOutlined from '@ant-design/icons/BellOutlined'
import { useQuery } from '@tanstack/react-query'
import { Popover } from 'antd'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsMobile } from '../../ui/use-media.ts'
import { notificationsOptions } from './api.ts'
import styles from './notifications.module.css'
import { NotificationsPanel } from './notifications-panel.tsx'

/** On a phone the panel needs the room below the theme toggle, too. */
const beyondTheme = [40, 4]

/** The bell of the header with how many notifications are unread. */
export function NotificationsButton() {
  const [open, setOpen] = useState(false)
  const isMobile = useIsMobile()
  const { data } = useQuery(notificationsOptions())
  const unread = data?.unread ?? 0
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      {...(isMobile && { align: { offset: beyondTheme } })}
      content={<NotificationsPanel onClose={() => setOpen(false)} />}
    >
      <span className={styles['bell']}>
        <IconButton
          label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
          aria-expanded={open}
          aria-haspopup="dialog"
        >
          <BellOutlined aria-hidden />
        </IconButton>
        {unread > 0 && <span className={styles['dot']} aria-hidden="true" />}
      </span>
    </Popover>
  )
}
