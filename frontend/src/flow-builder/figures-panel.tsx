import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowCounts } from '@parley/contracts/automation/publication'
import { branchLabel } from '@parley/flow/branches'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import { useMemo, useState } from 'react'
import { explain } from '../lib/explain.ts'
import { formatCount } from '../lib/format.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import type { Drawn } from './builder-context.ts'
import type { FlowRuns, RunsQuery } from './flow-runs.ts'
import { nameOf } from './kinds.ts'
import styles from './runs-panel.module.css'

type NodeCounts = FlowCounts['nodes'][number]
type Flow = { readonly id: string; readonly publishedVersion?: number | undefined }

/** Ranges that can be chosen, in days. */
const ranges = [
  { value: 7, label: '7 days' },
  { value: 30, label: '30 days' },
  { value: 90, label: '90 days' },
]

export type Figures = ReturnType<typeof useFigures>

/** Reads the figures of one version, and draws it with them. @param flow `undefined` while it is not shown. */
export function useFigures(runs: Pick<FlowRuns, 'kind' | 'countsOptions' | 'versionOptions'>, flow: Flow | undefined) {
  const [days, setDays] = useState(30)
  const [chosen, setNumber] = useState<number>()
  const number = chosen ?? flow?.publishedVersion ?? 0
  const isShown = flow !== undefined && number > 0
  const id = flow?.id ?? ''
  const counts = useQuery({ ...runs.countsOptions(id, { days, number }), enabled: isShown })
  const version = useQuery({ ...runs.versionOptions(id, number), enabled: isShown })
  const drawnFlow = isShown ? version.data?.flow : undefined
  const nodes = counts.data?.nodes
  const drawn = useMemo((): Drawn | undefined => {
    if (!drawnFlow) return undefined
    const title = `Version ${number}: figures of ${runs.kind === 'bot' ? 'sessions' : 'runs'} begun within ${days} days`
    return { flow: drawnFlow, title, counts: new Map((nodes ?? []).map((node) => [node.nodeId, node])) }
  }, [drawnFlow, nodes, number, days, runs.kind])
  return { days, setDays, number, setNumber, counts, flow: drawnFlow, drawn }
}

/** Figures of each node; a press lists the runs behind one. */
export function FiguresPanel({
  runs,
  flowId,
  figures: { days, setDays, number, setNumber, counts, flow },
  onOpen,
}: {
  runs: Pick<FlowRuns, 'kind' | 'versionsOptions'>
  flowId: string
  figures: Figures
  onOpen: (query: RunsQuery) => void
}) {
  const versions = useQuery(runs.versionsOptions(flowId, undefined)).data?.items ?? []
  const { data, error, isFetching, refetch } = counts
  const what = runs.kind === 'bot' ? 'session' : 'run'
  if (number === 0)
    return (
      <div className={styles['body']}>
        <EmptyState title="No figures yet" message="They count what published versions do." />
      </div>
    )
  const open = (of: RunsQuery) => onOpen({ ...of, number, from: data?.since })
  return (
    <div className={styles['body']}>
      <Segmented block aria-label="Range" value={days} options={ranges} onChange={setDays} />
      <Select
        aria-label="Version"
        value={number}
        options={versions.map((one) => ({ value: one.number, label: `Version ${one.number}` }))}
        onChange={setNumber}
      />
      <p className={styles['quiet']}>
        Visits by {what}s that began within {days} days. One that comes to a node twice counts twice.
      </p>
      {data && flow ? (
        <ul className={styles['list']} aria-label="Figures of nodes">
          {flow.nodes.map((node) => (
            <NodeFigures
              key={node.id}
              node={node}
              counts={data.nodes.find(({ nodeId }) => nodeId === node.id)}
              onOpen={open}
            />
          ))}
        </ul>
      ) : error && !isFetching ? (
        <ErrorState message={explain(error, 'The figures could not be loaded.')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="200px" />
      )}
    </div>
  )
}

function NodeFigures({
  node,
  counts,
  onOpen,
}: {
  node: DraftFlow['nodes'][number]
  counts: NodeCounts | undefined
  onOpen: (query: RunsQuery) => void
}) {
  const { id } = node
  const figures = counts ? figuresOf(node, counts) : []
  return (
    <li className={styles['figures']}>
      <b dir="auto">{nameOf(node)}</b>
      {figures.length === 0 && <span className={styles['quiet']}>Nobody came here.</span>}
      {figures.map(({ key, label, count, query }) => (
        <Button
          key={key}
          size="small"
          type="text"
          onClick={() => onOpen(query)}
          aria-label={`${nameOf(node)}, ${label}: ${formatCount(count)}`}
        >
          <span dir="auto">{label}</span> <b>{formatCount(count)}</b>
        </Button>
      ))}
    </li>
  )

  function figuresOf({ settings }: typeof node, { entered, left, here, dropped, failed }: NodeCounts) {
    const ways = left.length > 1 || left.some(({ branch }) => branch !== 'next')
    const named = (branch: string) =>
      branch === 'next' ? 'Went on' : branch === 'bot' ? 'Went on in another bot' : branchLabel(settings, branch)
    return [
      { key: 'entered', label: 'Came here', count: entered, query: { visited: id } },
      ...(ways ? left : []).map(({ branch, count }) => ({
        key: `left ${branch}`,
        label: named(branch),
        count,
        query: { visited: id, branch },
      })),
      { key: 'here', label: 'Waits here now', count: here, query: { show: 'live' as const, nodeId: id } },
      { key: 'dropped', label: 'Ended here', count: dropped, query: { dropped: id } },
      { key: 'failed', label: 'Refused', count: failed, query: { visited: id, branch: 'failed' } },
    ].filter(({ key, count }) => key === 'entered' || count > 0)
  }
}
