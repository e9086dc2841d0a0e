import type { Run, RunOutcome } from '@parley/contracts/automation/run-endpoints'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { Link } from '../../lib/navigation.ts'
import { useClock } from '../../lib/use-clock.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import { type RunsQuery, runOptions, runsOptions, useChangeRun } from './api.ts'
import styles from './sessions-panel.module.css'

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

/** Sessions of a bot; the chosen one is drawn on the canvas, with its steps below. */
export function SessionsPanel({
  botId,
  session,
  nodeName,
  onChoose,
}: {
  botId: string
  session: string | undefined
  /** Returns the name of a node in the version in question. */
  nodeName: (nodeId: string) => string
  onChoose: (session: string | undefined) => void
}) {
  return session === undefined ? (
    <Sessions botId={botId} onChoose={onChoose} />
  ) : (
    <Session id={session} nodeName={nodeName} onBack={() => onChoose(undefined)} />
  )
}

function Sessions({ botId, onChoose }: { botId: string; onChoose: (session: string) => void }) {
  const [query, setQuery] = useState<RunsQuery>({ show: 'live' })
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(runsOptions(botId, query))
  const clock = useClock(dataUpdatedAt)
  return (
    <div className={styles['body']}>
      <Segmented
        block
        aria-label="Which sessions"
        value={query.show ?? 'all'}
        options={[
          { value: 'live', label: 'Running' },
          { value: 'ended', label: 'Ended' },
          { value: 'all', label: 'All' },
        ]}
        onChange={(show) => setQuery({ show: show === 'all' ? undefined : (show as 'live' | 'ended') })}
      />
      {data ? (
        data.items.length === 0 ? (
          <EmptyState
            title={query.show === 'live' ? 'No session is running' : 'No sessions yet'}
            message="A session begins when a customer writes what a trigger waits for."
          />
        ) : (
          <ul className={styles['list']} aria-label="Sessions">
            {data.items.map((run) => (
              <li key={run.id}>
                <button type="button" className={styles['run']} onClick={() => onChoose(run.id)}>
                  <b dir="auto">{whoOf(run)}</b>
                  <span className={styles['quiet']}>
                    {labelOf(run)} · version {run.number} · <Timestamp at={run.endedAt ?? run.createdAt} {...clock} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )
      ) : error && !isFetching ? (
        <ErrorState message={explain(error, 'The sessions could not be loaded.')} onRetry={() => void refetch()} />
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

function Session({ id, nodeName, onBack }: { id: string; nodeName: (nodeId: string) => string; onBack: () => void }) {
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(runOptions(id))
  const clock = useClock(dataUpdatedAt)
  const change = useChangeRun(id)
  const mayNotChange = useIsRefused('conversations:assign')
  if (!data)
    return (
      <div className={styles['body']}>
        {error && !isFetching ? (
          <ErrorState message={explain(error, 'The session could not be loaded.')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="200px" />
        )}
      </div>
    )
  const { run, steps } = data
  const act = (what: 'cancel' | 'release') =>
    change.mutate(what, { onError: (failure) => toast.error(explain(failure, 'The session could not be changed.')) })
  return (
    <div className={styles['body']}>
      <div>
        <b dir="auto">{whoOf(run)}</b>
        <p className={styles['quiet']}>
          {labelOf(run)} · version {run.number} · began <Timestamp at={run.createdAt} {...clock} />
        </p>
        {run.reason !== undefined && <p>{run.reason}</p>}
        {run.status === 'waiting' && run.dueAt !== undefined && (
          <p className={styles['quiet']}>
            Goes on <Timestamp at={run.dueAt} {...clock} />
          </p>
        )}
      </div>
      <div className={styles['pages']}>
        <Button size="small" onClick={onBack}>
          All sessions
        </Button>
        {run.conversationId !== undefined && (
          <Link to={`/conversations?id=${run.conversationId}`}>Open conversation</Link>
        )}
        {!mayNotChange && run.status === 'held' && (
          <Button size="small" loading={change.isPending} onClick={() => act('release')}>
            Let it go on
          </Button>
        )}
        {!mayNotChange && run.status !== 'ended' && (
          <Button size="small" danger loading={change.isPending} onClick={() => act('cancel')}>
            End session
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
