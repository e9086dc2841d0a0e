import DesktopOutlined from '@ant-design/icons/DesktopOutlined'
import MobileOutlined from '@ant-design/icons/MobileOutlined'
import type { ActiveSession } from '@parley/contracts/auth'
import { Button } from 'antd'
import { fullTime, relativeTime } from '../../../lib/relative-time.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
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
  const usedAt = new Date(lastSeenAt)
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
          <Tooltip text={fullTime(usedAt, timeZone)}>
            <time dateTime={lastSeenAt}>Last used: {relativeTime(usedAt, now, timeZone)}</time>
          </Tooltip>
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
