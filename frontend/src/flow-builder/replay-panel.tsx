import type { ChainEntry, ReplayedRun, ReplayOf, ReplayStop } from '@parley/contracts/automation/replays'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { useClock } from '../lib/use-clock.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { type EditorHandle, useChoices } from './builder-context.ts'
import { nodeNameIn } from './flow-commands.tsx'
import type { Replays } from './flow-replays.ts'
import { labelOf, runWords, whoOf } from './run-labels.ts'
import styles from './runs-panel.module.css'
import type { Names } from './summary.ts'
import { lineText } from './transcript-text.ts'

const maxRuns = 20

/** Ended runs, played once more against the flow on the canvas: all of the last ones, or a single one with both ways. */
export function ReplayPanel({
  replays,
  flowId,
  editor,
  run,
  nodeName,
  onChoose,
  onOpen,
}: {
  replays: Replays
  flowId: string
  editor: EditorHandle
  run: string | undefined
  /** Returns the name of a node that the flow on the canvas lacks. */
  nodeName: (nodeId: string, branch?: string) => string
  /** Replays one run; `undefined`: the last ones. */
  onChoose: (run: string | undefined) => void
  /** Opens a run. */
  onOpen: (run: string) => void
}) {
  const { one, many } = runWords[replays.kind]
  const [draft, setDraft] = useState(editor.flow)
  const of: ReplayOf = run === undefined ? { kind: 'recent', limit: maxRuns } : { kind: 'run', runId: run }
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(replays.replayOptions(flowId, { draft, of }))
  const clock = useClock(dataUpdatedAt)
  return (
    <div className={styles['body']}>
      <p className={styles['quiet']}>
        Ended {one}s meet the draft as it is on the canvas. Nothing is sent, changed or called.
      </p>
      {(run !== undefined || editor.flow !== draft) && (
        <div className={styles['pages']}>
          {run !== undefined && (
            <>
              <Button size="small" onClick={() => onChoose(undefined)}>
                The last {many.toLowerCase()}
              </Button>
              <Button size="small" onClick={() => onOpen(run)}>
                Open {one}
              </Button>
            </>
          )}
          {editor.flow !== draft && (
            <Button size="small" type="primary" onClick={() => setDraft(editor.flow)}>
              Replay with the changed draft
            </Button>
          )}
        </div>
      )}
      {data ? (
        data.items.length === 0 ? (
          <EmptyState
            title={`No ended ${one}s`}
            message={`Once a ${one} has ended, see here what the draft would do.`}
          />
        ) : (
          <>
            {run === undefined && <p role="status">{summaryOf(data.items, one)}</p>}
            <ul className={styles['steps']} aria-label={`Replayed ${one}s`}>
              {data.items.map((item) => (
                <li key={item.run.id} data-outcome={marks[item.result]}>
                  <b dir="auto">{whoOf(item.run)}</b>
                  <span className={styles['quiet']}>
                    {labelOf(item.run)} · version {item.run.number} ·{' '}
                    <Timestamp at={item.run.endedAt ?? item.run.createdAt} {...clock} />
                  </span>
                  <Result item={item} editor={editor} nodeName={nodeName} />
                  {run === undefined && (
                    <span className={styles['pages']}>
                      {item.result !== 'not_replayable' && (
                        <Button
                          size="small"
                          aria-label={`Compare both ways of ${whoOf(item.run)}`}
                          onClick={() => onChoose(item.run.id)}
                        >
                          Compare
                        </Button>
                      )}
                      <Button
                        size="small"
                        aria-label={`Open ${one} of ${whoOf(item.run)}`}
                        onClick={() => onOpen(item.run.id)}
                      >
                        Open {one}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {data.items[0]?.chains && run !== undefined && <Ways {...data.items[0].chains} nodeName={nodeName} />}
          </>
        )
      ) : error && !isFetching ? (
        <ErrorState message={explain(error, `The ${one}s could not be replayed.`)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="200px" />
      )}
    </div>
  )
}

const marks = { same: 'passed', words: 'open', differs: 'failed', not_replayable: 'open' } as const

const results = {
  same: 'The same',
  words: 'The same way, in other words',
  differs: 'Goes another way',
  not_replayable: 'Cannot be replayed',
} as const

const stops: Readonly<Record<ReplayStop, string>> = {
  erased: 'the customer was erased',
  words_gone: 'its messages are no longer kept',
  no_record: 'it began before replays were recorded, or with answers of an earlier try',
  gap: 'a part of its record is missing',
  version_gone: 'the version that ran is gone',
  record_differs: 'what is known of the customer today leads even its own version another way',
  too_long: 'it is too long',
  no_answer: 'what another system sent is not kept',
  node_gone: 'it began at a step that the draft lacks',
  no_time: 'the others took too long; replay this one by itself',
}

function summaryOf(items: readonly ReplayedRun[], one: string): string {
  const by = Map.groupBy(items, ({ result }) => result)
  const count = (result: keyof typeof results) => by.get(result)?.length ?? 0
  const parts = [
    `${count('same')} of ${counted(items.length, one)} the same`,
    ...(count('words') > 0 ? [`${count('words')} in other words`] : []),
    ...(count('differs') > 0 ? [`${count('differs')} another way`] : []),
    ...(count('not_replayable') > 0 ? [`${count('not_replayable')} cannot be replayed`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** Result of one run's replay, with the first step at which both ways part. */
function Result({
  item: { result, stop, nodeId, recorded, replayed },
  editor,
  nodeName,
}: {
  item: ReplayedRun
  editor: EditorHandle
  nodeName: (nodeId: string, branch?: string) => string
}) {
  const names = useChoices()
  const hasParted = result === 'words' || result === 'differs'
  const name: typeof nodeName = (id, branch) =>
    editor.flow.nodes.some((node) => node.id === id) ? nodeNameIn(editor.flow, id, branch) : nodeName(id, branch)
  return (
    <>
      <span>
        {results[result]}
        {stop && `: ${stops[stop]}`}
        {hasParted && nodeId !== undefined && ` from “${name(nodeId)}” on`}
      </span>
      {hasParted && (
        <dl className={styles['difference']}>
          <dt>Happened</dt>
          <dd dir="auto">{entryText(recorded, names, name)}</dd>
          <dt>Draft</dt>
          <dd dir="auto">{entryText(replayed, names, name)}</dd>
        </dl>
      )}
      {hasParted && nodeId !== undefined && editor.flow.nodes.some(({ id }) => id === nodeId) && (
        <span className={styles['pages']}>
          <Button size="small" onClick={() => editor.reveal([nodeId])}>
            Show the node
          </Button>
        </span>
      )}
    </>
  )
}

function entryText(
  entry: ChainEntry | undefined,
  names: Names,
  nodeName: (nodeId: string, branch?: string) => string,
): string {
  if (!entry) return 'Nothing more'
  const { nodeId, branch, lines } = entry
  const node = nodeId === undefined ? '' : nodeName(nodeId, branch)
  return [node, ...lines.map((line) => lineText(line, names))].filter(Boolean).join(' · ')
}

/** Both ways, that of the draft below the recorded one; the first difference is marked in both. */
function Ways({
  at,
  recorded,
  replayed,
  nodeName,
}: NonNullable<ReplayedRun['chains']> & { nodeName: (nodeId: string, branch?: string) => string }) {
  const names = useChoices()
  const list = (title: string, chain: readonly ChainEntry[]) => (
    <section aria-label={title}>
      <b className={styles['quiet']}>{title}</b>
      <ol className={styles['steps']}>
        {chain.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place, and never move.
          <li key={index} dir="auto" data-mark={index === at ? 'changed' : undefined}>
            {entryText(entry, names, nodeName)}
          </li>
        ))}
      </ol>
    </section>
  )
  return (
    <>
      {list('What happened', recorded)}
      {list('With the draft', replayed)}
    </>
  )
}
