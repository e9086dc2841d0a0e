import SyncOutlined from '@ant-design/icons/SyncOutlined'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { Link } from '../../lib/navigation.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { templateSyncOptions, useSyncTemplates } from './api.ts'
import styles from './sync-button.module.css'
import { lastSynced, syncAdvice } from './sync-labels.ts'

/** Compares the templates with those at WhatsApp, and says when that was last done and what came of it. */
export function SyncButton() {
  const { data } = useQuery(templateSyncOptions())
  const sync = useSyncTemplates()
  const last = useLastSynced()
  return (
    <div className={styles['sync']}>
      {last && <span className={styles['last']}>{last}</span>}
      <Tooltip text="Finds templates that were written or changed at WhatsApp">
        <Button
          icon={<SyncOutlined aria-hidden />}
          loading={data?.running === true || sync.isPending}
          onClick={() => sync.mutate(undefined)}
        >
          Sync
        </Button>
      </Tooltip>
    </div>
  )
}

/** Stands above the templates while the last comparison with WhatsApp did not come to its end. */
export function SyncProblem() {
  const { data } = useQuery(templateSyncOptions())
  const last = useLastSynced()
  if (!data?.problem) return null
  const code = data.latest.find(({ error }) => error)?.error?.code
  const isForNumbers = code === 'not_connected' || code === 'access_refused'
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      title={`Your templates could not be synced with WhatsApp: ${data.problem}`}
      description={[code && syncAdvice[code], last && `${last}. You see them as they were then.`]
        .filter(Boolean)
        .join(' ')}
      action={isForNumbers && <Link to="/whatsapp-numbers">WhatsApp Numbers</Link>}
    />
  )
}

function useLastSynced(): string {
  const { data } = useQuery(templateSyncOptions())
  const { now, timeZone } = useClock(0)
  return data ? lastSynced(data, now, timeZone) : ''
}
