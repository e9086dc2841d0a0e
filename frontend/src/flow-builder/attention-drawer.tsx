import type { Attention } from '@parley/contracts/automation/runs'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { Link } from '../lib/navigation.ts'
import { useClock } from '../lib/use-clock.ts'
import { useFirstPageWhenGone } from '../ui/cursor-pager.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { toast } from '../ui/toast.ts'
import styles from './attention-drawer.module.css'
import type { FlowRuns } from './flow-runs.ts'

/** List of what a person has to look at: messages that no bot could answer, and flows that cannot continue. */
export function AttentionDrawer({
  open,
  runs,
  onClose,
}: {
  open: boolean
  runs: Pick<FlowRuns, 'attentionOptions' | 'useDismiss'>
  onClose: () => void
}) {
  const [cursor, setCursor] = useState<string>()
  const options = { ...runs.attentionOptions(cursor), enabled: open }
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(options)
  useFirstPageWhenGone(data, cursor, () => setCursor(undefined))
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size="min(480px, 100vw)"
      title="To look at"
      afterOpenChange={(isOpen) => !isOpen && setCursor(undefined)}
      closable={{ 'aria-label': 'Close the list', placement: 'end' }}
      destroyOnHidden
    >
      {data ? (
        data.items.length === 0 ? (
          <EmptyState title="Nothing to look at" message="Every message is answered, or with a person." />
        ) : (
          <>
            <ul className={styles['list']} aria-label="To look at">
              {data.items.map((entry) => (
                <Entry key={entry.id} entry={entry} runs={runs} readAt={dataUpdatedAt} />
              ))}
            </ul>
            {(data.previousCursor !== null || data.nextCursor !== null) && (
              <nav className={styles['pages']} aria-label="Pages of the list">
                <Button
                  disabled={data.previousCursor === null}
                  onClick={() => setCursor(data.previousCursor ?? undefined)}
                >
                  Newer
                </Button>
                <Button disabled={data.nextCursor === null} onClick={() => setCursor(data.nextCursor ?? undefined)}>
                  Older
                </Button>
              </nav>
            )}
          </>
        )
      ) : error && !isFetching ? (
        <ErrorState message={explain(error, 'The list could not be loaded.')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="160px" />
      )}
    </Drawer>
  )
}

function Entry({ entry, runs, readAt }: { entry: Attention; runs: Pick<FlowRuns, 'useDismiss'>; readAt: number }) {
  const dismiss = runs.useDismiss()
  const clock = useClock(readAt)
  const { botId, botName, workflowId, workflowName, conversationId, runId, sentence, count, lastAt } = entry
  const name = botName ?? workflowName
  return (
    <li className={styles['entry']}>
      <p>
        {name !== undefined && <b dir="auto">{name}: </b>}
        {sentence}
      </p>
      <p className={styles['quiet']}>
        {count > 1 && `${counted(count, 'time')}, last `}
        <Timestamp at={lastAt} {...clock} />
      </p>
      <p className={styles['commands']}>
        {conversationId !== undefined && <Link to={`/conversations?id=${conversationId}`}>Open conversation</Link>}
        {botId !== undefined && runId !== undefined && (
          <Link to={`/bots?bot=${botId}&panel=sessions&session=${runId}`}>Show session</Link>
        )}
        {workflowId !== undefined && runId !== undefined && (
          <Link to={`/workflows?workflow=${workflowId}&panel=runs&run=${runId}`}>Show run</Link>
        )}
        <Button
          size="small"
          loading={dismiss.isPending}
          onClick={() =>
            dismiss.mutate(entry, { onError: (error) => toast.error(explain(error, 'It could not be taken off.')) })
          }
        >
          Dismiss
        </Button>
      </p>
    </li>
  )
}
