import DesktopOutlined from '@ant-design/icons/DesktopOutlined'
import MobileOutlined from '@ant-design/icons/MobileOutlined'
import type { ActiveSession } from '@parley/contracts/account/auth'
import { Button } from 'antd'
import { Timestamp } from '../../../ui/timestamp.tsx'
import styles from './sessions-card.module.css'

/** One place where the account is signed in. */
export function SessionRow({
  session: { device, ip, lastSeenAt, current },
  now,
  timeZone,
  ending,
  onEnd,
}: {
  session: ActiveSession
  now: Date
  timeZone: string
  ending: boolean
  onEnd: () => void
}) {
  const Icon = /Android|iOS|iPad/.test(device) ? MobileOutlined : DesktopOutlined
  return (
    <li className={styles['row']}>
      <Icon aria-hidden className={styles['icon'] ?? ''} />
      <div className={styles['words']}>
        <p className={styles['device']}>
          {device}
          {current && <span className={styles['here']}>This device</span>}
        </p>
        <p className={styles['detail']}>
          <span>{ip}</span>
          <span>
            Last used: <Timestamp at={lastSeenAt} now={now} timeZone={timeZone} />
          </span>
        </p>
      </div>
      {!current && (
        <Button aria-label={`Sign out ${device}`} loading={ending && !current} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
