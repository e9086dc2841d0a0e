import type { NotificationKind, Settings } from '@parley/contracts/account/settings'
import { Switch } from 'antd'
import { useExamples } from '../../lib/sample-data.ts'
import { ExampleLine, ExampleScope } from '../../ui/example.tsx'
import { useNotificationSettings } from './api.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

const kinds: readonly { readonly kind: NotificationKind; readonly label: string; readonly hint: string }[] = [
  { kind: 'newMessages', label: 'New Messages', hint: 'When a customer sends a message.' },
  { kind: 'broadcastCompletion', label: 'Broadcast Completion', hint: 'When a campaign has reached everyone it can.' },
  { kind: 'botFailures', label: 'Bot Failures', hint: 'When a bot cannot continue on its own.' },
  { kind: 'weeklyReports', label: 'Weekly Reports', hint: 'A summary of the previous week, every Monday.' },
]

/** Notifications. A switch counts at once. */
export function NotificationsTab({ settings }: { settings: Settings }) {
  const examples = useExamples('settings')
  const card = <NotificationsCard settings={settings} />
  return (
    <div className={styles['cards']}>
      {examples === 'live' && card}
      {examples === 'shown' && <ExampleScope what="notification settings">{card}</ExampleScope>}
      {examples === 'none' && (
        <SettingsCard title="Notifications">
          <p className={styles['lead']}>
            There is nothing to choose yet: the bell shows every member what concerns their role.
          </p>
        </SettingsCard>
      )}
    </div>
  )
}

function NotificationsCard({ settings: { notifications } }: { settings: Settings }) {
  const update = useNotificationSettings()
  return (
    <SettingsCard title="Notifications" lead="What Parley notifies you about. Changes take effect immediately.">
      <ExampleLine />
      <ul className={styles['switches']}>
        {kinds.map(({ kind, label, hint }) => (
          <li key={kind}>
            <div>
              <span id={`notify-${kind}`} className={styles['switchLabel']}>
                {label}
              </span>
              <p id={`notify-${kind}-hint`}>{hint}</p>
            </div>
            <span className={styles['switchBox']}>
              <Switch
                checked={notifications[kind]}
                aria-labelledby={`notify-${kind}`}
                aria-describedby={`notify-${kind}-hint`}
                onChange={(on) => update.mutate({ [kind]: on })}
              />
            </span>
          </li>
        ))}
      </ul>
    </SettingsCard>
  )
}
