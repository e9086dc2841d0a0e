import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import CloudUploadOutlined from '@ant-design/icons/CloudUploadOutlined'
import ExperimentOutlined from '@ant-design/icons/ExperimentOutlined'
import FastForwardOutlined from '@ant-design/icons/FastForwardOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import RollbackOutlined from '@ant-design/icons/RollbackOutlined'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowSummary } from '@parley/contracts/automation/flow-summary'
import { branchLabel } from '@parley/flow/branches'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import type { Drawn, EditorHandle } from './builder-context.ts'
import type { FlowRuns } from './flow-runs.ts'
import { PublishDialog } from './lazy-dialogs.tsx'
import styles from './runs-panel.module.css'

export type Flow = FlowSummary & { readonly draft: DraftFlow }

/** Commands of the builder beside the one that saves: runs, settings, publication. */
export function FlowCommands({
  flow,
  runs,
  editor,
  mayNotPublish,
  onRuns,
  onFigures,
  onVersions,
  onTests,
  onReplay,
  onDryRun,
  children,
}: {
  flow: Flow
  runs: Pick<FlowRuns, 'kind' | 'checkOptions' | 'usePublish'>
  editor: EditorHandle
  mayNotPublish: boolean
  onRuns: () => void
  onFigures: () => void
  onVersions: () => void
  onTests: () => void
  /** Absent for who may not. */
  onReplay?: (() => void) | undefined
  /** Absent for bots, and for who may not. */
  onDryRun?: (() => void) | undefined
  /** Further commands. */
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const label = runs.kind === 'bot' ? 'Sessions' : 'Runs'
  const [isAsked, setAsked] = useState(false)
  // The server publishes the saved draft; what is being saved already is waited for.
  const openPublish = useEffectEvent(async () => {
    if (!editor.dirty || (await editor.save())) setOpen(true)
  })
  useEffect(() => {
    if (!isAsked || editor.saving) return
    setAsked(false)
    void openPublish()
  }, [isAsked, editor.saving])
  return (
    <>
      <Tooltip text={label} side="bottom">
        <IconButton label={label} onClick={onRuns}>
          <HistoryOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text="Figures" side="bottom">
        <IconButton label="Figures" onClick={onFigures}>
          <BarChartOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text="Versions" side="bottom">
        <IconButton label="Versions" onClick={onVersions}>
          <BranchesOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text="Tests" side="bottom">
        <IconButton label="Tests" onClick={onTests}>
          <ExperimentOutlined aria-hidden />
        </IconButton>
      </Tooltip>
      {onReplay && (
        <Tooltip text="Replay" side="bottom">
          <IconButton label="Replay" onClick={onReplay}>
            <RollbackOutlined aria-hidden />
          </IconButton>
        </Tooltip>
      )}
      {onDryRun && (
        <Tooltip text="Dry run" side="bottom">
          <IconButton label="Dry run" onClick={onDryRun}>
            <FastForwardOutlined aria-hidden />
          </IconButton>
        </Tooltip>
      )}
      {children}
      <Button
        icon={<CloudUploadOutlined aria-hidden />}
        disabled={mayNotPublish || (!editor.dirty && !flow.unpublishedChanges && flow.publishedVersion !== undefined)}
        loading={isAsked}
        onClick={() => setAsked(true)}
      >
        Publish
      </Button>
      <PublishDialog
        flow={flow}
        runs={runs}
        open={isOpen}
        nameOf={(nodeId) => flow.draft.nodes.find(({ id }) => id === nodeId)?.label}
        onReveal={(nodeId) => {
          setOpen(false)
          editor.reveal([nodeId])
        }}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

/** `Version 7 runs · draft differs`. */
export function Published({
  flow: { publishedVersion, unpublishedChanges, status },
}: {
  flow: Pick<Flow, 'publishedVersion' | 'unpublishedChanges' | 'status'>
}) {
  const runs = status === 'active' ? 'runs' : 'is published'
  const text =
    publishedVersion === undefined
      ? 'Not published'
      : `Version ${publishedVersion} ${runs}${unpublishedChanges ? ' · draft differs' : ''}`
  return (
    <span className={styles['published']} title={text}>
      {text}
    </span>
  )
}

/** Returns the name of a node, with the branch by which it was left where that says something: `Size? (Large)`. */
export function nodeNameIn({ nodes }: DraftFlow, nodeId: string, branch = 'next'): string {
  const node = nodes.find(({ id }) => id === nodeId)
  const name = node?.label || 'A node of another version'
  return branch === 'next' ? name : `${name} (${node ? branchLabel(node.settings, branch) : branch})`
}

/** Returns the version that a run is on, and the nodes that it has been at. */
export function useDrawnRun(
  runs: Pick<FlowRuns, 'kind' | 'runOptions' | 'versionOptions'>,
  flowId: string,
  chosen: string | undefined,
): Drawn | undefined {
  const run = useQuery({ ...runs.runOptions(chosen ?? ''), enabled: chosen !== undefined }).data
  const version = useQuery({
    ...runs.versionOptions(flowId, run?.run.number ?? 0),
    enabled: chosen !== undefined && run !== undefined,
  }).data
  return useMemo(() => {
    if (chosen === undefined || !run || !version) return undefined
    return {
      flow: version.flow,
      visited: new Set(run.steps.map(({ nodeId }) => nodeId)),
      active: run.run.status === 'ended' ? null : (run.run.nodeId ?? null),
      title: `Version ${version.number}: ${runs.kind === 'bot' ? 'a session' : 'a run'}, not the draft`,
    }
  }, [chosen, run, version, runs.kind])
}
