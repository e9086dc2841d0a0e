import type { Run, RunStep } from '@parley/contracts/automation/runs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { useFlowChoices } from '../lib/flow-choices.ts'
import { useNavigate } from '../lib/navigation.ts'
import { NotHere } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import type { Choices, EditorHandle } from './builder-context.ts'
import { EditorSkeleton } from './editor-skeleton.tsx'
import { FiguresPanel, useFigures } from './figures-panel.tsx'
import { type Flow, FlowCommands, nodeNameIn, Published, useDrawnRun } from './flow-commands.tsx'
import type { flowQueries } from './flow-queries.ts'
import type { Replays } from './flow-replays.ts'
import type { FlowRuns, RunsQuery } from './flow-runs.ts'
import { FlowStatus } from './flow-status.tsx'
import type { FlowTests } from './flow-tests.ts'
import { FlowEditor } from './lazy-flow-editor.tsx'
import { ReplayPanel } from './replay-panel.tsx'
import { initialRuns, RunsPanel } from './runs-panel.tsx'
import { TestsPanel } from './tests-panel.tsx'
import { type ComparedVersion, useDrawnVersion } from './use-compared.ts'
import { useFlowSaves } from './use-flow-saves.ts'
import { VersionsPanel } from './versions-panel.tsx'

interface FlowUrl {
  readonly panel?: 'runs' | 'figures' | 'versions' | 'tests' | 'replay' | 'dry-run' | 'settings' | undefined
  /** Run that is drawn on the canvas. */
  readonly run?: string | undefined
  readonly v?: ComparedVersion['v']
  readonly than?: ComparedVersion['than']
}
export type ChangeFlowUrl = (patch: FlowUrl) => void

interface Props<R extends Flow> {
  id: string
  flows: Pick<ReturnType<typeof flowQueries<Flow, R>>, 'oneOptions' | 'useUpdate' | 'staleRecord'>
  runs: FlowRuns
  tests: FlowTests
  replays: Replays
  url: FlowUrl
  change: ChangeFlowUrl
  /** Commands beside the common ones. */
  commands: ReactNode
  /** Parts of the panel of runs that one kind of flow adds. */
  listActions?: (flow: R, query: RunsQuery, total: number | undefined) => ReactNode
  runActions?: (flow: R, run: Run, steps: readonly RunStep[]) => ReactNode
  aboveRuns?: ReactNode
  /** Panel of a workflow's dry runs. */
  dryRun?: (flow: R, editor: EditorHandle) => ReactNode
  /** Settings that the test panel uses. */
  facts?: (flow: R) => Choices['facts']
  /** Dialogs over the builder. */
  children: (flow: R, closePanel: () => void) => ReactNode
}

/** The builder of one bot or workflow with publication and panels, or why it cannot be shown. */
export function FlowView<R extends Flow>(props: Props<R>) {
  const { id, flows, runs, tests, url, change, facts } = props
  const what = runs.kind
  const { data, error, isFetching, refetch } = useQuery(flows.oneOptions(id))
  const { mutateAsync } = flows.useUpdate()
  const choices = useFlowChoices()
  const saves = useFlowSaves({ data, onSave: mutateAsync, staleRecord: flows.staleRecord })
  const drawnRun = useDrawnRun(runs, id, url.panel === 'runs' ? url.run : undefined)
  const shown = { v: url.v, than: url.than }
  const drawnVersion = useDrawnVersion(runs, data, url.panel === 'versions' ? shown : {})
  const [query, setQuery] = useState(initialRuns)
  const figures = useFigures(runs, url.panel === 'figures' ? data : undefined)
  const keepTest = tests.useCreateTest(id)
  const mayNotWrite = useIsRefused(`${what}s:write`)
  const mayNotPublish = useIsRefused(`${what}s:publish`)
  const navigate = useNavigate()
  const leave = useCallback(() => void navigate(`/${what}s`), [navigate, what])
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page>
        <NotHere what={what} onLeave={leave} />
      </Page>
    )
  if (error && !data && !isFetching)
    return (
      <Page>
        <ErrorState
          title={`The ${what} could not be loaded`}
          message={explain(error, 'Nothing is lost. Check your connection and try again.')}
          onRetry={() => void refetch()}
        />
      </Page>
    )
  if (!data) return <EditorSkeleton />

  const closePanel = () => change({ panel: undefined, run: undefined, v: undefined, than: undefined })
  const showRuns = () => change({ panel: 'runs', run: undefined })
  const panelOf = (editor: EditorHandle) => {
    if (url.panel === 'runs')
      return (
        <RunsPanel
          runs={runs}
          flowId={id}
          run={url.run}
          query={query}
          onQuery={setQuery}
          nodeName={(...step) => nodeNameIn(drawnRun?.flow ?? data.draft, ...step)}
          onChoose={(run) => change({ run })}
          replay={mayNotWrite ? undefined : (run) => change({ panel: 'replay', run })}
          listActions={(listed, total) => props.listActions?.(data, listed, total)}
          runActions={(run, steps) => props.runActions?.(data, run, steps)}
        >
          {props.aboveRuns}
        </RunsPanel>
      )
    if (url.panel === 'figures')
      return (
        <FiguresPanel
          runs={runs}
          flowId={id}
          figures={figures}
          onOpen={(of) => {
            setQuery(of)
            showRuns()
          }}
        />
      )
    if (url.panel === 'versions')
      return (
        <VersionsPanel
          runs={runs}
          flow={data}
          editor={editor}
          mayNotPublish={mayNotPublish}
          mayNotWrite={mayNotWrite}
          shown={shown}
          onShow={({ v, than, closed }) => change({ v, than, ...(closed && { panel: undefined }) })}
        />
      )
    if (url.panel === 'replay')
      return (
        <ReplayPanel
          key={url.run}
          replays={props.replays}
          flowId={id}
          editor={editor}
          run={url.run}
          nodeName={(...step) => nodeNameIn(data.draft, ...step)}
          onChoose={(run) => change({ run })}
          onOpen={(run) => change({ panel: 'runs', run })}
        />
      )
    if (url.panel === 'dry-run') return props.dryRun?.(data, editor)
    return <TestsPanel tests={tests} flowId={id} editor={editor} mayNotWrite={mayNotWrite} />
  }
  return (
    <>
      <FlowEditor
        what={what}
        name={data.name}
        draft={data.draft}
        status={
          <>
            <FlowStatus status={data.status} />
            <Published flow={data} />
          </>
        }
        actions={(editor) => (
          <FlowCommands
            flow={data}
            runs={runs}
            editor={editor}
            mayNotPublish={mayNotPublish}
            onRuns={showRuns}
            onFigures={() => change({ panel: 'figures', run: undefined })}
            onTests={() => change({ panel: 'tests', v: undefined, than: undefined })}
            onReplay={mayNotWrite ? undefined : () => change({ panel: 'replay', run: undefined })}
            onDryRun={mayNotWrite || !props.dryRun ? undefined : () => change({ panel: 'dry-run', run: undefined })}
            onVersions={() => change({ panel: 'versions', v: undefined, than: undefined })}
          >
            {props.commands}
          </FlowCommands>
        )}
        panel={url.panel && url.panel !== 'settings' ? panelOf : undefined}
        panelTitle={url.panel && panelTitles[url.panel]}
        onPanelClose={closePanel}
        drawn={drawnRun ?? figures.drawn ?? drawnVersion}
        onKeepTest={mayNotWrite ? undefined : keepTest.mutateAsync}
        facts={facts?.(data)}
        workflowId={what === 'workflow' ? data.id : undefined}
        {...choices}
        {...saves}
        onLeave={leave}
      />
      {props.children(data, closePanel)}
    </>
  )
}

/** Titles of panels; the panel of runs has the word of its kind of flow. */
const panelTitles = {
  runs: undefined,
  figures: 'Figures',
  versions: 'Versions',
  tests: 'Tests',
  replay: 'Replay',
  'dry-run': 'Dry run',
  settings: undefined,
}
