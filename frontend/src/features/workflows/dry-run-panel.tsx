import type { DryRun } from '@parley/contracts/automation/dry-runs'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { EditorHandle } from '../../flow-builder/builder-context.ts'
import { explain } from '../../lib/explain.ts'
import { isAtWork } from '../../lib/flow-jobs.ts'
import { counted } from '../../lib/format.ts'
import { useClock } from '../../lib/use-clock.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import strip from '../../ui/job-strip.module.css'
import { JobBar } from '../../ui/job-strip.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './dry-run.module.css'
import { DryRunResults, Part, summaryOf } from './dry-run-results.tsx'
import { dryRunsOptions, useCancelDryRun, useStartDryRun } from './dry-runs.ts'

const ranges = [1, 3, 7].map((value) => ({ value, label: counted(value, 'day') }))

/** Tells how often a workflow would have started on recorded events, and how far: the draft as it is on the canvas, or what runs. */
export function DryRunPanel({
  workflow,
  editor,
}: {
  workflow: { readonly id: string; readonly publishedVersion?: number | undefined }
  editor: EditorHandle
}) {
  const { id, publishedVersion } = workflow
  const [days, setDays] = useState(7)
  const [kind, setKind] = useState<DryRun['of']>('draft')
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(dryRunsOptions(id))
  const clock = useClock(dataUpdatedAt)
  const start = useStartDryRun(id)
  const cancel = useCancelDryRun()
  const [latest, ...earlier] = data ?? []
  const working = latest && isAtWork(latest) ? latest : undefined
  const begin = () =>
    start.mutate(
      { days, of: kind === 'draft' ? { kind, flow: editor.flow } : { kind } },
      { onError: (failure) => toast.error(explain(failure, 'The dry run could not be started.')) },
    )
  return (
    <div className={styles['body']}>
      <p className={styles['quiet']}>
        How often it would have started on recorded events, and how far. Nothing is sent, changed or called.
      </p>
      <Segmented block aria-label="Range" value={days} options={ranges} onChange={setDays} />
      {publishedVersion !== undefined && (
        <Segmented
          block
          aria-label="Flow"
          value={kind}
          options={[
            { value: 'draft' as const, label: 'Draft' },
            { value: 'published' as const, label: `Version ${publishedVersion}` },
          ]}
          onChange={setKind}
        />
      )}
      <Button type="primary" disabled={!data || working !== undefined} loading={start.isPending} onClick={begin}>
        Start dry run
      </Button>
      <p className={styles['quiet']}>
        Only events from times with an active flow count, not starts by hand, schedules or incoming webhooks. It begins
        as if nobody had taken part. Filters see the first 300 characters of a message.
      </p>
      {!data ? (
        error && !isFetching ? (
          <ErrorState message={explain(error, 'Dry runs could not be loaded.')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="200px" />
        )
      ) : !latest ? (
        <EmptyState title="No dry run yet" message="Start one to see what this flow would have done." />
      ) : working ? (
        <ul className={strip['jobs']} aria-label="Under way">
          <JobBar
            what="Reading events"
            job={working}
            stopping={cancel.isPending}
            onStop={() =>
              cancel.mutate(working, {
                onError: (failure) => toast.error(explain(failure, 'It could not be stopped.')),
              })
            }
          />
        </ul>
      ) : (
        <Ended run={latest} workflow={workflow} editor={editor} onAgain={begin}>
          <Timestamp at={latest.createdAt} {...clock} />
        </Ended>
      )}
      {earlier.some(({ result }) => result) && (
        <Part title="Earlier">
          <ul className={styles['lines']}>
            {earlier.map(
              (run) =>
                run.result && (
                  <li key={run.id}>
                    <span>{summaryOf(run.result)}</span>
                    <span className={styles['quiet']}>
                      {nameOf(run)} · {counted(run.days, 'day')} · <Timestamp at={run.createdAt} {...clock} />
                    </span>
                  </li>
                ),
            )}
          </ul>
        </Part>
      )}
    </div>
  )
}

const nameOf = ({ of, number }: DryRun): string => (of === 'draft' ? 'Draft' : `Version ${number}`)

function Ended({
  run,
  workflow,
  editor,
  onAgain,
  children,
}: {
  run: DryRun
  workflow: { readonly id: string }
  editor: EditorHandle
  onAgain: () => void
  /** Time at which it was started. */
  children: ReactNode
}) {
  if (run.state === 'failed')
    return <ErrorState message="The dry run could not be finished. Start it again." onRetry={onAgain} />
  if (!run.result) return <EmptyState title="The dry run was stopped" message="It has no result. Start another one." />
  return (
    <>
      <p className={styles['quiet']}>
        {nameOf(run)} · {counted(run.days, 'day')} · {children}
      </p>
      <DryRunResults key={workflow.id} result={run.result} editor={editor} />
    </>
  )
}
