import type { NotificationKind, Settings } from '@parley/contracts/account/settings'
import { Switch } from 'antd'
import { useNotificationSettings } from './api.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

const kinds: readonly { readonly kind: NotificationKind; readonly label: string; readonly hint: string }[] = [
  {
    kind: 'newMessages',
    label: 'New Messages',
    hint: 'When a conversation is assigned to you, or a colleague mentions you in a note.',
  },
  { kind: 'broadcastCompletion', label: 'Broadcast Completion', hint: 'When a campaign has reached everyone it can.' },
  { kind: 'botFailures', label: 'Bot Failures', hint: 'When a bot cannot continue on its own.' },
  { kind: 'weeklyReports', label: 'Weekly Reports', hint: 'A summary of the previous week in the bell, every Monday.' },
]

/** Notifications of the member who looks. A switch counts at once. */
export const NotificationsTab = ({ settings }: { settings: Settings }) => (
  <div className={styles['cards']}>
    <NotificationsCard settings={settings} />
  </div>
)

function NotificationsCard({ settings: { notifications } }: { settings: Settings }) {
  const update = useNotificationSettings()
  return (
    <SettingsCard
      title="Notifications"
      lead="What the bell tells you. Other members choose for themselves. Changes take effect immediately."
    >
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
