import type { FlowVersion } from '@parley/contracts/automation/publication'
import { useQuery } from '@tanstack/react-query'
import { Button, Select, Tag } from 'antd'
import { useState } from 'react'
import { useMemberName } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { useClock } from '../lib/use-clock.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { toast } from '../ui/toast.ts'
import { type EditorHandle, useChoices } from './builder-context.ts'
import { describeDiff, markNames } from './diff-words.ts'
import type { Flow } from './flow-commands.tsx'
import type { FlowRuns } from './flow-runs.ts'
import { PublishDialog } from './lazy-dialogs.tsx'
import styles from './runs-panel.module.css'
import { type ComparedVersion, useCompared } from './use-compared.ts'

interface Props {
  runs: FlowRuns
  flow: Flow
  editor: EditorHandle
  mayNotPublish: boolean
  mayNotWrite: boolean
  shown: ComparedVersion
  onShow: (shown: ComparedVersion) => void
}

/** Versions of a flow: the chosen one is drawn on the canvas, compared with another, and published again. */
export function VersionsPanel(props: Props) {
  return props.shown.v === undefined ? <List {...props} /> : <One {...props} v={props.shown.v} />
}

function List({ runs, flow, onShow }: Props) {
  const [cursor, setCursor] = useState<string>()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(runs.versionsOptions(flow.id, cursor))
  const clock = useClock(dataUpdatedAt)
  const nameOf = useMemberName()
  if (!data)
    return (
      <div className={styles['body']}>
        {error && !isFetching ? (
          <ErrorState message={explain(error, 'The versions could not be loaded.')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="200px" />
        )}
      </div>
    )
  return (
    <div className={styles['body']}>
      {data.items.length === 0 ? (
        <EmptyState title="No versions yet" message="Publishing keeps the draft as a version. Each stays as it was." />
      ) : (
        <ul className={styles['list']} aria-label="Versions">
          {flow.unpublishedChanges && (
            <li>
              <button
                type="button"
                className={styles['run']}
                onClick={() => onShow({ v: 'draft', than: String(flow.publishedVersion) })}
              >
                <b>Draft</b>
                <span className={styles['quiet']}>Differs from version {flow.publishedVersion}</span>
              </button>
            </li>
          )}
          {data.items.map((version) => (
            <li key={version.number}>
              <button type="button" className={styles['run']} onClick={() => onShow({ v: String(version.number) })}>
                <b>
                  Version {version.number}{' '}
                  {version.number === flow.publishedVersion && (
                    <Tag color="success">{flow.status === 'active' ? 'Runs' : 'Published'}</Tag>
                  )}
                </b>
                {version.note !== undefined && <span dir="auto">{version.note}</span>}
                <span className={styles['quiet']}>
                  {nameOf(version.publishedBy) ?? '…'} · <Timestamp at={version.publishedAt} {...clock} />
                  {moreOf(version, runs.kind)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {(data.previousCursor !== null || data.nextCursor !== null) && (
        <div className={styles['pages']}>
          <Button
            size="small"
            disabled={data.previousCursor === null}
            onClick={() => setCursor(data.previousCursor ?? undefined)}
          >
            Newer
          </Button>
          <Button
            size="small"
            disabled={data.nextCursor === null}
            onClick={() => setCursor(data.nextCursor ?? undefined)}
          >
            Older
          </Button>
        </div>
      )}
    </div>
  )
}

const moreOf = ({ restoredFrom, running }: FlowVersion, kind: FlowRuns['kind']): string =>
  [
    restoredFrom === undefined ? '' : ` · version ${restoredFrom} again`,
    running === 0 ? '' : ` · ${counted(running, kind === 'bot' ? 'session' : 'run')} on it`,
  ].join('')

function One({ runs, flow, editor, mayNotPublish, mayNotWrite, shown, v, onShow }: Props & { v: string }) {
  const names = useChoices()
  const [isOpen, setOpen] = useState(false)
  const { before, after, error, isFetching, refetch } = useCompared(runs, flow, shown)
  const versions = useQuery(runs.versionsOptions(flow.id, undefined)).data
  const number = v === 'draft' ? undefined : Number(v)
  const title = v === 'draft' ? 'The draft' : `Version ${v}`
  if (error && !isFetching)
    return (
      <div className={styles['body']}>
        <ErrorState message={explain(error, 'The version could not be loaded.')} onRetry={refetch} />
        <Button size="small" onClick={() => onShow({})}>
          All versions
        </Button>
      </div>
    )
  const differences = before && after ? describeDiff(before.flow, after.flow, names) : undefined
  const others = [
    ...(v === 'draft' ? [] : [{ value: 'draft', label: 'the draft' }]),
    ...(versions?.items ?? [])
      .filter((one) => one.number !== number)
      .map((one) => ({ value: String(one.number), label: `version ${one.number}` })),
  ]
  return (
    <div className={styles['body']}>
      <div className={styles['pages']}>
        <Button size="small" onClick={() => onShow({})}>
          All versions
        </Button>
        {number !== undefined && !mayNotWrite && (
          <Button
            size="small"
            disabled={!after}
            onClick={() => {
              const chosen = before?.name === title ? before : after
              if (!chosen) return
              editor.put(chosen.flow)
              onShow({ closed: true })
              toast.note(`${title} is in the draft. Undo brings back what was there.`)
            }}
          >
            Put into the draft
          </Button>
        )}
        {number !== undefined && number !== flow.publishedVersion && (
          <Button size="small" type="primary" disabled={mayNotPublish} onClick={() => setOpen(true)}>
            Publish again
          </Button>
        )}
      </div>
      <div className={styles['compare']}>
        <span aria-hidden>Compare {title.toLowerCase()} with</span>
        <Select
          aria-label={`Compare ${title.toLowerCase()} with`}
          value={shown.than ?? ''}
          options={[{ value: '', label: 'nothing' }, ...others]}
          onChange={(than) => onShow({ v, ...(than !== '' && { than }) })}
        />
      </div>
      {v === 'draft' && editor.dirty && (
        <p className={styles['quiet']}>Changes that are not saved yet are not part of this.</p>
      )}
      {shown.than === undefined ? null : differences && before && after ? (
        <>
          <p className={styles['quiet']}>
            {differences.length === 0
              ? `${before.name} and ${after.name.toLowerCase()} run alike.`
              : `From ${before.name.toLowerCase()} to ${after.name.toLowerCase()}: ${counted(differences.length, 'difference')}`}
          </p>
          <ul className={styles['steps']} aria-label="Differences">
            {differences.map(({ key, mark, title: what, details }) => (
              <li key={key} data-mark={mark}>
                <span dir="auto">
                  <b>{markNames[mark]}</b> {what}
                </span>
                {details.map((detail) => (
                  <span key={detail} className={styles['quiet']} dir="auto">
                    {detail}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <SkeletonBar height="120px" />
      )}
      {number !== undefined && (
        <PublishDialog
          flow={flow}
          runs={runs}
          number={number}
          open={isOpen}
          nameOf={(nodeId) => after?.flow.nodes.find(({ id }) => id === nodeId)?.label}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
