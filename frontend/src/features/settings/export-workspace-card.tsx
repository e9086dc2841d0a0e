import {
  type WorkspaceExport,
  workspaceExportApi,
  workspaceExportHours,
} from '@parley/contracts/account/workspace-export'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useMay } from '../../lib/choices/members.ts'
import { isWorking } from '../../lib/contact-jobs.ts'
import { explain } from '../../lib/explain.ts'
import { formatBytes } from '../../lib/format-bytes.ts'
import { workspaceExportKeys } from '../../lib/query-keys.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useChange } from '../../lib/use-change.ts'
import { useClock } from '../../lib/use-clock.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import strip from '../../ui/job-strip.module.css'
import { JobBar } from '../../ui/job-strip.tsx'
import { PasswordDialog } from '../../ui/password-dialog.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Progress is not told by events. */
const watchMs = 1500

/** Everything of the workspace as one file, for owners. */
export function ExportWorkspaceCard() {
  const mayExport = useMay('workspace:export') === true
  const { data, isLoadingError, isFetching, refetch, dataUpdatedAt } = useQuery({
    queryKey: workspaceExportKeys.all,
    queryFn: async ({ signal }) => (await call(workspaceExportApi.list, { signal })).items,
    enabled: mayExport,
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ? watchMs : false),
  })
  const [open, setOpen] = useState(false)
  if (!mayExport) return null
  const isWritten = data?.some(isWorking) ?? false
  return (
    <SettingsCard
      title="Export Workspace"
      anchor="export"
      lead={`Contacts, conversations, campaigns, templates, bots, members and the audit log as one ZIP file with lines of JSON, without secrets and without photos. You can download it for ${workspaceExportHours} hours.`}
    >
      {isLoadingError && !isFetching && (
        <ErrorState message="Earlier exports could not be loaded." onRetry={() => void refetch()} />
      )}
      {data && data.length > 0 && <Exports items={data} readAt={dataUpdatedAt} />}
      <div className={styles['buttons']}>
        <Button disabled={isWritten} onClick={() => setOpen(true)}>
          Export Workspace
        </Button>
      </div>
      <ExportDialog open={open} hasFile={data?.some(({ file }) => file) ?? false} onClose={() => setOpen(false)} />
    </SettingsCard>
  )
}

const show = (client: QueryClient, changed: WorkspaceExport) =>
  client.setQueryData<WorkspaceExport[]>(workspaceExportKeys.all, (before = []) => [
    changed,
    ...before.filter(({ id }) => id !== changed.id),
  ])

function Exports({ items, readAt }: { items: readonly WorkspaceExport[]; readAt: number }) {
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: workspaceExportKeys.all })
  const cancel = useChange({
    run: (id: string, intent) => call(workspaceExportApi.cancel, { params: { id }, ...intent }),
    onError: (error) => toast.error(explain(error, 'The export could not be stopped. Try again.')),
    onSettled: again,
  })
  const remove = useChange({
    run: (id: string, intent) => call(workspaceExportApi.remove, { params: { id }, ...intent }),
    onError: (error) => toast.error(explain(error, 'The file could not be deleted. Try again.')),
    onSettled: again,
  })
  const working = items.filter(isWorking)
  const ended = items.filter((item) => !isWorking(item))
  return (
    <div className={styles['exports']}>
      {working.length > 0 && (
        <ul className={strip['jobs']} aria-label="Under way">
          {working.map((job) => (
            <JobBar
              key={job.id}
              what="Exporting the workspace"
              job={job}
              stopping={cancel.isPending}
              onStop={() => cancel.mutate(job.id)}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <ul className={styles['switches']} aria-label="Exports of the workspace">
          {ended.map((item) => (
            <EndedExport
              key={item.id}
              item={item}
              readAt={readAt}
              removing={remove.isPending}
              onRemove={() => remove.mutate(item.id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function EndedExport({
  item: { id, state, file, problem, createdAt },
  readAt,
  removing,
  onRemove,
}: {
  item: WorkspaceExport
  readAt: number
  removing: boolean
  onRemove: () => void
}) {
  const clock = useClock(readAt)
  return (
    <li>
      <div>
        <span className={styles['switchLabel']}>
          {file ? 'Ready' : state === 'cancelled' ? 'Stopped' : state === 'failed' ? 'Not finished' : 'File deleted'}
        </span>
        <p>
          <Timestamp at={createdAt} {...clock} />
          {file
            ? `, ${formatBytes(file.sizeBytes)}, until ${fullTime(new Date(file.availableUntil), clock.timeZone)}`
            : problem && `. ${problem}`}
        </p>
      </div>
      {file && (
        <div className={styles['buttons']}>
          <Button href={workspaceExportApi.download.path.replace(':id', id)} download={file.name} type="primary">
            Download
          </Button>
          <Button loading={removing} onClick={onRemove}>
            Delete File
          </Button>
        </div>
      )}
    </li>
  )
}

function ExportDialog({ open, hasFile, onClose }: { open: boolean; hasFile: boolean; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <PasswordDialog
      open={open}
      title="Export the workspace?"
      lead={`Whoever has the file can read your customers’ data. It is written in the background; the bell tells the owners when it is ready.${hasFile ? ' It replaces the file that is there.' : ''}`}
      submitLabel="Start Export"
      run={(_typed, intent) => call(workspaceExportApi.begin, intent)}
      onDone={(begun) => {
        show(client, begun)
        onClose()
      }}
      onSettled={() => client.invalidateQueries({ queryKey: workspaceExportKeys.all })}
      failure="The export could not be started. Try again."
      onClose={onClose}
    />
  )
}
