import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import UploadOutlined from '@ant-design/icons/UploadOutlined'
import { Link } from '../../lib/navigation.ts'
import { type QuickAction, quickActions } from './actions.ts'
import { Panel } from './panel.tsx'
import styles from './quick-actions.module.css'

const icons = {
  campaign: NotificationOutlined,
  bot: RobotOutlined,
  contacts: UploadOutlined,
  analytics: BarChartOutlined,
} as const satisfies Record<QuickAction['icon'], unknown>

/** Short ways to the screens where work begins. */
export function QuickActions() {
  return (
    <Panel title="Quick Actions">
      <ul className={styles['list']}>
        {quickActions.map(({ label, hint, to, icon }) => {
          const Icon = icons[icon]
          return (
            <li key={label}>
              <Link className={styles['action']} to={to}>
                <Icon aria-hidden="true" className={styles['icon'] ?? ''} />
                <span className={styles['words']}>
                  {label}
                  <span className={styles['hint']}>{hint}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
