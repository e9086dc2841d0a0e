import BellOutlined from '@ant-design/icons/BellOutlined'
import { Switch } from 'antd'
import { useId, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toast.ts'
import { canNotify, setDesktopAlerts, setSound, useAlerts } from './alerts.ts'
import styles from './list-pane.module.css'

/** Selects how this device announces new messages. */
export function AlertsMenu() {
  const [open, setOpen] = useState(false)
  const { desktop, sound } = useAlerts()
  const id = useId()
  const change = async (on: boolean) => {
    if (!(await setDesktopAlerts(on)) && on)
      toast.error('Your browser blocks notifications from this page. Allow them in your browser settings first.')
  }
  return (
    <Popover
      label="New messages"
      open={open}
      onOpenChange={setOpen}
      align="end"
      button={
        <IconButton label="Notifications for new messages" title="Notifications for new messages">
          <BellOutlined aria-hidden />
        </IconButton>
      }
    >
      <div className={styles['alerts']}>
        <label htmlFor={`${id}-desktop`}>Desktop notifications</label>
        <Switch
          id={`${id}-desktop`}
          size="small"
          checked={desktop}
          disabled={!canNotify}
          onChange={(on) => void change(on)}
        />
        <label htmlFor={`${id}-sound`}>Sound</label>
        <Switch id={`${id}-sound`} size="small" checked={sound} onChange={setSound} />
      </div>
    </Popover>
  )
}
