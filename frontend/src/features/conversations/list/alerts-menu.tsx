import SettingOutlined from '@ant-design/icons/SettingOutlined'
import { Switch } from 'antd'
import { useId, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toast.ts'
import { setOpensNext, useOpensNext } from '../use-finish.ts'
import { canNotify, setDesktopAlerts, setSound, useAlerts } from './alerts.ts'
import styles from './list-pane.module.css'

/** Selects how the inbox behaves on this device: how it announces new messages, and what opens after a conversation. */
export function AlertsMenu() {
  const [open, setOpen] = useState(false)
  const { desktop, sound } = useAlerts()
  const opensNext = useOpensNext()
  const id = useId()
  const change = async (on: boolean) => {
    if (!(await setDesktopAlerts(on)) && on)
      toast.error('Your browser blocks notifications from this page. Allow them in your browser settings first.')
  }
  return (
    <Popover
      label="Inbox on this device"
      open={open}
      onOpenChange={setOpen}
      align="end"
      button={
        <IconButton label="Inbox on this device" title="Inbox on this device">
          <SettingOutlined aria-hidden />
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
        <label htmlFor={`${id}-sound`}>Sound for new messages</label>
        <Switch id={`${id}-sound`} size="small" checked={sound} onChange={setSound} />
        <label htmlFor={`${id}-next`}>Open the next one after closing</label>
        <Switch id={`${id}-next`} size="small" checked={opensNext} onChange={setOpensNext} />
      </div>
    </Popover>
  )
}
