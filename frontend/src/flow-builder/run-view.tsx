import type { Run, RunStep } from '@parley/contracts/automation/runs'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { Link } from '../lib/navigation.ts'
import { useClock } from '../lib/use-clock.ts'
import { callFigures } from '../lib/use-test-call.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { toast } from '../ui/toast.ts'
import type { FlowRuns } from './flow-runs.ts'
import { labelOf, runWords, startOf, whoOf, whyOf } from './run-labels.ts'
import styles from './runs-panel.module.css'

/** One run: why it began, where it stands, and its steps. */
export function RunView({
  runs,
  id,
  nodeName,
  actions,
  onReplay,
  onChoose,
  onBack,
}: {
  runs: Pick<FlowRuns, 'kind' | 'runOptions' | 'useChangeRun'>
  id: string
  nodeName: (nodeId: string, branch?: string) => string
  actions: ((run: Run, steps: readonly RunStep[]) => ReactNode) | undefined
  /** Plays it against the draft; absent for who may not. */
  onReplay: ((run: string) => void) | undefined
  onChoose: (run: string) => void
  onBack: () => void
}) {
  const { one, many } = runWords[runs.kind]
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(runs.runOptions(id))
  const clock = useClock(dataUpdatedAt)
  const change = runs.useChangeRun(id)
  const mayNotChange = useIsRefused('conversations:assign')
  if (!data)
    return (
      <div className={styles['body']}>
        {error && !isFetching ? (
          <ErrorState message={explain(error, `The ${one} could not be loaded.`)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="200px" />
        )}
      </div>
    )
  const { run, steps } = data
  const act = (what: 'cancel' | 'release') =>
    change.mutate(what, { onError: (failure) => toast.error(explain(failure, `The ${one} could not be changed.`)) })
  return (
    <div className={styles['body']}>
      <div>
        <b dir="auto">{whoOf(run)}</b>
        <p className={styles['quiet']}>
          {labelOf(run)} · version {run.number} · began <Timestamp at={run.createdAt} {...clock} />
        </p>
        {startOf(run) !== undefined && <p>{startOf(run)}</p>}
        {run.reason !== undefined && run.outcome !== 'cancelled' && <p>{run.reason}</p>}
        {run.status === 'waiting' && run.dueAt !== undefined && (
          <p className={styles['quiet']}>
            Goes on <Timestamp at={run.dueAt} {...clock} />
          </p>
        )}
      </div>
      <div className={styles['pages']}>
        <Button size="small" onClick={onBack}>
          All {many.toLowerCase()}
        </Button>
        {run.conversationId !== undefined && (
          <Link to={`/conversations?id=${run.conversationId}`}>Open conversation</Link>
        )}
        {!mayNotChange && run.status === 'held' && (
          <Button size="small" loading={change.isPending} onClick={() => act('release')}>
            Let it go on
          </Button>
        )}
        {!mayNotChange && actions?.(run, steps)}
        {onReplay && run.status === 'ended' && (
          <Button size="small" onClick={() => onReplay(run.id)}>
            Replay against the draft
          </Button>
        )}
        {run.retryOf !== undefined && (
          <Button size="small" onClick={() => onChoose(run.retryOf ?? '')}>
            The try before
          </Button>
        )}
        {run.retriedBy !== undefined && (
          <Button size="small" onClick={() => onChoose(run.retriedBy ?? '')}>
            The next try
          </Button>
        )}
        {!mayNotChange && run.status !== 'ended' && (
          <Button size="small" danger loading={change.isPending} onClick={() => act('cancel')}>
            End {one}
          </Button>
        )}
      </div>
      <ol className={styles['steps']} aria-label="Steps">
        {steps.map(({ n, at, nodeId, branch, outcome, code, call }) => (
          <li key={n} data-outcome={outcome}>
            <span dir="auto">{nodeName(nodeId, branch)}</span>
            <span className={styles['quiet']}>
              {[call && callFigures(call), whyOf(code, outcome)].filter(Boolean).join(' · ')}{' '}
              <Timestamp at={at} {...clock} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
