import { type Run, type RunOutcome, type RunStep, runOutcomes } from '@parley/contracts/automation/run-endpoints'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { Link } from '../lib/navigation.ts'
import { useClock } from '../lib/use-clock.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { toast } from '../ui/toast.ts'
import type { FlowRuns, RunsQuery } from './flow-runs.ts'
import { eventNames } from './labels.ts'
import styles from './runs-panel.module.css'

const outcomeLabels: Readonly<Record<RunOutcome, string>> = {
  completed: 'Completed',
  handed_over: 'Handed over',
  taken_over: 'Taken over by a person',
  abandoned: 'No answer in time',
  superseded: 'Another session took its place',
  failed: 'Failed',
  loop: 'Stopped: it went in circles',
  cancelled: 'Ended by a member',
}

const outcomeChoices: readonly { value: RunOutcome | ''; label: string }[] = [
  { value: '', label: 'Any outcome' },
  ...runOutcomes.map((value) => ({ value, label: outcomeLabels[value] })),
]

const statusLabels = {
  collecting: 'Reading a message',
  working: 'Answering',
  waiting: 'Waiting',
  held: 'Held',
} as const

const labelOf = ({ status, asks, outcome }: Run): string => {
  if (status === 'ended') return outcome ? outcomeLabels[outcome] : 'Ended'
  return status === 'waiting' && asks ? 'Waiting for an answer' : statusLabels[status]
}

const codeLabels: Readonly<Record<string, string>> = {
  opted_out: 'the customer has opted out',
  text_cut: 'the text was too long, and lost its end',
}

/** Returns the reason why a step was refused, or a remark on one that was done. */
const whyOf = (code: string | undefined, outcome: string | undefined): string | undefined =>
  code === undefined ? (outcome === 'done' ? undefined : outcome) : (codeLabels[code] ?? code)

const whoOf = ({ contactName }: Run): string => contactName ?? 'A customer'

type Runs = Pick<FlowRuns, 'kind' | 'runsOptions' | 'runOptions' | 'useChangeRun'>

/** Words by which people know the runs of a kind of flow. */
const words = {
  bot: {
    one: 'session',
    many: 'Sessions',
    begins: 'A session begins when a customer writes what a trigger waits for.',
    none: 'No sessions yet',
    noneRuns: 'No session is running',
  },
  workflow: {
    one: 'run',
    many: 'Runs',
    begins: 'A run begins when something happens that a trigger waits for.',
    none: 'No runs yet',
    noneRuns: 'Nothing is running',
  },
} as const

/** Tells why a run of a workflow has begun: `Tag added: vip, by a member`. */
function startOf({ started }: Run): string | undefined {
  if (!started) return undefined
  const { event, detail, by } = started
  const what = event === 'retry' ? 'Tried again' : eventNames[event]
  const who = by === undefined ? undefined : actors[by]
  return `${what}${detail === undefined ? '' : `: ${detail}`}${who === undefined ? '' : `, by ${who}`}`
}

const actors: Readonly<Record<string, string>> = {
  user: 'a member',
  contact: 'the contact',
  bot: 'a bot',
  workflow: 'a workflow',
  campaign: 'a campaign',
  api_key: 'the API',
}

/** Runs of a flow; the chosen one is drawn on the canvas, with its steps below. */
export function RunsPanel({
  runs,
  flowId,
  run,
  nodeName,
  onChoose,
  listActions,
  runActions,
  children,
}: {
  runs: Runs
  flowId: string
  run: string | undefined
  /** Returns the name of a node in the version in question. */
  nodeName: (nodeId: string) => string
  onChoose: (run: string | undefined) => void
  /** Commands over all runs that a list shows. */
  listActions?: (query: RunsQuery, total: number | undefined) => ReactNode
  /** Further commands over one run. */
  runActions?: (run: Run, steps: readonly RunStep[]) => ReactNode
  /** Stands above the list. */
  children?: ReactNode
}) {
  return run === undefined ? (
    <List runs={runs} flowId={flowId} actions={listActions} onChoose={onChoose}>
      {children}
    </List>
  ) : (
    <One
      runs={runs}
      id={run}
      nodeName={nodeName}
      actions={runActions}
      onChoose={onChoose}
      onBack={() => onChoose(undefined)}
    />
  )
}

function List({
  runs,
  flowId,
  actions,
  onChoose,
  children,
}: {
  runs: Runs
  flowId: string
  actions: ((query: RunsQuery, total: number | undefined) => ReactNode) | undefined
  onChoose: (run: string) => void
  children?: ReactNode
}) {
  const { one, many, begins, none, noneRuns } = words[runs.kind]
  const [query, setQuery] = useState<RunsQuery>({ show: 'live' })
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(runs.runsOptions(flowId, query))
  const clock = useClock(dataUpdatedAt)
  return (
    <div className={styles['body']}>
      {children}
      <Segmented
        block
        aria-label={`Which ${one}s`}
        value={query.show === 'held' ? 'live' : (query.show ?? 'all')}
        options={[
          { value: 'live', label: 'Running' },
          { value: 'ended', label: 'Ended' },
          { value: 'all', label: 'All' },
        ]}
        onChange={(show) => setQuery({ show: show === 'all' ? undefined : (show as 'live' | 'ended') })}
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
            onChange={(show) => setQuery({ show })}
          />
        ) : (
          <Select
            aria-label="Outcome"
            value={query.outcome ?? ('' as const)}
            popupMatchSelectWidth={false}
            options={[...outcomeChoices]}
            onChange={(outcome) => setQuery({ show: query.show, outcome: outcome === '' ? undefined : outcome })}
          />
        )}
        {data && data.items.length > 0 && actions?.(query, data.total)}
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

function One({
  runs,
  id,
  nodeName,
  actions,
  onChoose,
  onBack,
}: {
  runs: Runs
  id: string
  nodeName: (nodeId: string) => string
  actions: ((run: Run, steps: readonly RunStep[]) => ReactNode) | undefined
  onChoose: (run: string) => void
  onBack: () => void
}) {
  const { one, many } = words[runs.kind]
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
        {run.reason !== undefined && <p>{run.reason}</p>}
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
        {steps.map(({ n, at, nodeId, branch, action, outcome, code }) => (
          <li key={n} data-outcome={outcome}>
            <span dir="auto">{nodeName(nodeId)}</span>
            <span className={styles['quiet']}>
              {[action?.replaceAll('_', ' '), branch, whyOf(code, outcome)]
                .filter((part) => part !== undefined)
                .join(' · ')}{' '}
              <Timestamp at={at} {...clock} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
