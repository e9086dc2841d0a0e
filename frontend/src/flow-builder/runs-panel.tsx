import type { Run, RunStep } from '@parley/contracts/automation/runs'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import type { ReactNode } from 'react'
import { explain } from '../lib/explain.ts'
import { useClock } from '../lib/use-clock.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import type { FlowRuns, RunsQuery } from './flow-runs.ts'
import { labelOf, outcomeChoices, runWords, startOf, whoOf } from './run-labels.ts'
import { RunView } from './run-view.tsx'
import styles from './runs-panel.module.css'

/** Runs that are listed first. */
export const initialRuns: RunsQuery = { show: 'live' }

const ofNode = ({ nodeId, visited, branch, dropped, number, from }: RunsQuery): RunsQuery => ({
  nodeId,
  visited,
  branch,
  dropped,
  number,
  from,
})

type Runs = Pick<FlowRuns, 'kind' | 'runsOptions' | 'runOptions' | 'useChangeRun'>

/** Runs of a flow; the chosen one is drawn on the canvas, with its steps below. */
export function RunsPanel({
  runs,
  flowId,
  run,
  query,
  onQuery,
  nodeName,
  onChoose,
  replay,
  listActions,
  runActions,
  children,
}: {
  runs: Runs
  flowId: string
  run: string | undefined
  /** Runs that are listed; kept by the caller, so that they stay where the panel becomes a sheet. */
  query: RunsQuery
  onQuery: (query: RunsQuery) => void
  /** Returns the name of a node in the version in question. */
  nodeName: (nodeId: string, branch?: string) => string
  onChoose: (run: string | undefined) => void
  /** Plays an ended run against the draft; absent for who may not. */
  replay?: ((run: string) => void) | undefined
  /** Commands over all runs that a list shows. */
  listActions?: (query: RunsQuery, total: number | undefined) => ReactNode
  /** Further commands over one run. */
  runActions?: (run: Run, steps: readonly RunStep[]) => ReactNode
  /** Stands above the list. */
  children?: ReactNode
}) {
  return run === undefined ? (
    <List
      runs={runs}
      flowId={flowId}
      query={query}
      setQuery={onQuery}
      nodeName={nodeName}
      actions={listActions}
      onChoose={onChoose}
    >
      {children}
    </List>
  ) : (
    <RunView
      runs={runs}
      id={run}
      nodeName={nodeName}
      actions={runActions}
      onReplay={replay}
      onChoose={onChoose}
      onBack={() => onChoose(undefined)}
    />
  )
}

function List({
  runs,
  flowId,
  query,
  setQuery,
  nodeName,
  actions,
  onChoose,
  children,
}: {
  runs: Runs
  flowId: string
  query: RunsQuery
  setQuery: (query: RunsQuery) => void
  nodeName: (nodeId: string, branch?: string) => string
  actions: ((query: RunsQuery, total: number | undefined) => ReactNode) | undefined
  onChoose: (run: string) => void
  children?: ReactNode
}) {
  const { one, many, begins, none, noneRuns } = runWords[runs.kind]
  const node = query.visited ?? query.dropped ?? query.nodeId
  const { data, dataUpdatedAt, error, isFetching, isPlaceholderData, refetch } = useQuery(
    runs.runsOptions(flowId, query),
  )
  const clock = useClock(dataUpdatedAt)
  return (
    <div className={styles['body']}>
      {children}
      {node !== undefined && (
        <div className={styles['pages']}>
          <span className={styles['quiet']} dir="auto">
            Those of {nodeName(node)}, version {query.number}
          </span>
          <Button size="small" onClick={() => setQuery(initialRuns)}>
            All {many.toLowerCase()}
          </Button>
        </div>
      )}
      <Segmented
        block
        aria-label={`Which ${one}s`}
        value={query.show === 'held' ? 'live' : (query.show ?? 'all')}
        options={[
          { value: 'live', label: 'Running' },
          { value: 'ended', label: 'Ended' },
          { value: 'all', label: 'All' },
        ]}
        onChange={(show) =>
          setQuery({ ...ofNode(query), show: show === 'all' ? undefined : (show as 'live' | 'ended') })
        }
      />
      <div className={styles['pages']}>
        {query.show === 'live' || query.show === 'held' ? (
          <Select
            aria-label="State"
            value={query.show}
            options={[
              { value: 'live', label: 'Any state' },
              { value: 'held', label: 'Held' },
            ]}
            onChange={(show) => setQuery({ ...ofNode(query), show })}
          />
        ) : (
          <Select
            aria-label="Outcome"
            value={query.outcome ?? ('' as const)}
            popupMatchSelectWidth={false}
            options={[...outcomeChoices]}
            onChange={(outcome) =>
              setQuery({ ...ofNode(query), show: query.show, outcome: outcome === '' ? undefined : outcome })
            }
          />
        )}
        {data && data.items.length > 0 && actions?.(query, isPlaceholderData ? undefined : data.total)}
      </div>
      {data ? (
        data.items.length === 0 ? (
          <EmptyState title={query.show === 'live' ? noneRuns : none} message={begins} />
        ) : (
          <ul className={styles['list']} aria-label={many}>
            {data.items.map((run) => (
              <li key={run.id}>
                <button type="button" className={styles['run']} onClick={() => onChoose(run.id)}>
                  <b dir="auto">{whoOf(run)}</b>
                  <span className={styles['quiet']}>
                    {startOf(run) !== undefined && `${startOf(run)} · `}
                    {labelOf(run)} · version {run.number} · <Timestamp at={run.endedAt ?? run.createdAt} {...clock} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )
      ) : error && !isFetching ? (
        <ErrorState message={explain(error, `The ${one}s could not be loaded.`)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="200px" />
      )}
      {data && (data.previousCursor !== null || data.nextCursor !== null) && (
        <div className={styles['pages']}>
          <Button
            size="small"
            disabled={data.previousCursor === null}
            onClick={() => setQuery({ ...query, cursor: data.previousCursor ?? undefined })}
          >
            Previous
          </Button>
          <Button
            size="small"
            disabled={data.nextCursor === null}
            onClick={() => setQuery({ ...query, cursor: data.nextCursor ?? undefined })}
          >
            Next
          </Button>
        </div>
      )}
    </div>
  )
}
