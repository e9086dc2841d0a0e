import SyncOutlined from '@ant-design/icons/SyncOutlined'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Tooltip } from 'antd'
import { relativeTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { templateSyncOptions, useSyncTemplates } from './api.ts'

/** Compares the templates with those at WhatsApp, and says when that was last done. */
export function SyncButton() {
  const { data } = useQuery(templateSyncOptions())
  const sync = useSyncTemplates()
  const last = useLastCompared()
  return (
    <Tooltip title={last || 'Finds templates that were written or changed at WhatsApp'}>
      <Button
        icon={<SyncOutlined aria-hidden />}
        loading={data?.running === true || sync.isPending}
        onClick={() => sync.mutate(undefined)}
      >
        Sync
      </Button>
    </Tooltip>
  )
}

/** Stands above the templates while the last comparison with WhatsApp did not come to its end. */
export function SyncProblem() {
  const { data } = useQuery(templateSyncOptions())
  const last = useLastCompared()
  if (!data?.problem) return null
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      title={`WhatsApp could not be asked about your templates: ${data.problem}`}
      description={last && `${last} They are shown as they were then.`}
    />
  )
}

function useLastCompared(): string {
  const { data } = useQuery(templateSyncOptions())
  const { now, timeZone } = useClock(0)
  return data?.syncedAt ? `Last compared with WhatsApp: ${relativeTime(new Date(data.syncedAt), now, timeZone)}.` : ''
}
