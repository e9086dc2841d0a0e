import SyncOutlined from '@ant-design/icons/SyncOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button, Tooltip } from 'antd'
import { relativeTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { templateSyncOptions, useSyncTemplates } from './api.ts'

/** Compares the templates with those at WhatsApp, and says when that was last done. */
export function SyncButton() {
  const { data } = useQuery(templateSyncOptions())
  const sync = useSyncTemplates()
  const { now, timeZone } = useClock(0)
  const last = data?.syncedAt
    ? `Last compared with WhatsApp: ${relativeTime(new Date(data.syncedAt), now, timeZone)}.`
    : ''
  const said = data?.problem ? `WhatsApp could not be asked: ${data.problem} ${last}` : last
  return (
    <Tooltip title={said || 'Finds templates that were written or changed at WhatsApp'}>
      <Button
        icon={<SyncOutlined aria-hidden />}
        danger={data?.problem !== undefined}
        loading={data?.running === true || sync.isPending}
        onClick={() => sync.mutate(undefined)}
      >
        Sync
      </Button>
    </Tooltip>
  )
}
