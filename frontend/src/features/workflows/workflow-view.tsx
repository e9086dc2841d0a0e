import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { Workflow } from '@parley/contracts/automation/workflows'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditorHandle } from '../../flow-builder/builder-context.ts'
import { FiguresPanel, useFigures } from '../../flow-builder/figures-panel.tsx'
import { FlowCommands, nodeNameIn, Published, useDrawnRun } from '../../flow-builder/flow-commands.tsx'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { initialRuns, RunsPanel } from '../../flow-builder/runs-panel.tsx'
import { TestsPanel } from '../../flow-builder/tests-panel.tsx'
import { useDrawnVersion } from '../../flow-builder/use-compared.ts'
import { VersionsPanel } from '../../flow-builder/versions-panel.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { runs, workflows, workflowTests } from './api.ts'
import { BulkRuns } from './bulk-runs.tsx'
import { EnrolmentDialog } from './enrolment-dialog.tsx'
import { RetryRun } from './retry-run.tsx'
import { StartDialog } from './start-dialog.tsx'
import type { ChangeWorkflowsUrl, WorkflowsUrl } from './url.ts'
import { WorkflowJobs } from './workflow-jobs.tsx'

/** The builder of one workflow, with publication, settings and runs. */
export function WorkflowView({ id, url, change }: { id: string; url: WorkflowsUrl; change: ChangeWorkflowsUrl }) {
  const found = useQuery(workflows.oneOptions(id))
  const { mutateAsync } = workflows.useUpdate()
  const drawn = useDrawnRun(runs, id, url.panel === 'runs' ? url.run : undefined)
  const shown = { v: url.v, than: url.than }
  const drawnVersion = useDrawnVersion(runs, found.data, url.panel === 'versions' ? shown : {})
  const [query, setQuery] = useState(initialRuns)
  const figures = useFigures(runs, url.panel === 'figures' ? found.data : undefined)
  const keepTest = workflowTests.useCreateTest(id)
  const mayNotWrite = useIsRefused('workflows:write')
  const mayNotPublish = useIsRefused('workflows:publish')
  const [isStarting, setStarting] = useState(false)
  const closePanel = () => change({ panel: undefined, run: undefined, v: undefined, than: undefined })
  return (
    <FlowView
      key={id}
      what="workflow"
      list="/workflows"
      found={found}
      onSave={mutateAsync}
      staleRecord={workflows.staleRecord}
      badge={(workflow) => <Published flow={workflow} />}
      actions={(workflow, editor) => (
        <FlowCommands
          flow={workflow}
          runs={runs}
          editor={editor}
          mayNotPublish={mayNotPublish}
          onRuns={() => change({ panel: 'runs', run: undefined })}
          onFigures={() => change({ panel: 'figures', run: undefined })}
          onTests={() => change({ panel: 'tests', v: undefined, than: undefined })}
          onVersions={() => change({ panel: 'versions', v: undefined, than: undefined })}
        >
          {!mayNotPublish && (
            <Tooltip text="Start by hand" side="bottom">
              <IconButton label="Start by hand" onClick={() => setStarting(true)}>
                <PlayCircleOutlined aria-hidden />
              </IconButton>
            </Tooltip>
          )}
          <Tooltip text="When it starts" side="bottom">
            <IconButton label="When it starts" onClick={() => change({ panel: 'settings', run: undefined })}>
              <SettingOutlined aria-hidden />
            </IconButton>
          </Tooltip>
        </FlowCommands>
      )}
      {...(url.panel === 'runs' && {
        panel: (workflow: Workflow) => (
          <RunsPanel
            runs={runs}
            flowId={id}
            run={url.run}
            query={query}
            onQuery={setQuery}
            nodeName={(nodeId) => nodeNameIn(drawn?.flow ?? workflow.draft, nodeId)}
            onChoose={(run) => change({ run })}
            listActions={(query, total) => <BulkRuns workflow={workflow} query={query} total={total} />}
            runActions={(run, steps) => (
              <RetryRun workflow={workflow} run={run} steps={steps} onRetried={(again) => change({ run: again })} />
            )}
          >
            <WorkflowJobs workflowId={id} />
          </RunsPanel>
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'figures' && {
        panelTitle: 'Figures',
        panel: () => (
          <FiguresPanel
            runs={runs}
            flowId={id}
            figures={figures}
            onOpen={(of) => {
              setQuery(of)
              change({ panel: 'runs', run: undefined })
            }}
          />
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'versions' && {
        panelTitle: 'Versions',
        panel: (workflow: Workflow, editor: EditorHandle) => (
          <VersionsPanel
            runs={runs}
            flow={workflow}
            editor={editor}
            mayNotPublish={mayNotPublish}
            mayNotWrite={mayNotWrite}
            shown={shown}
            onShow={({ v, than, closed }) => change({ v, than, ...(closed && { panel: undefined }) })}
          />
        ),
        onPanelClose: closePanel,
      })}
      {...(url.panel === 'tests' && {
        panelTitle: 'Tests',
        panel: (_: Workflow, editor: EditorHandle) => (
          <TestsPanel tests={workflowTests} flowId={id} editor={editor} mayNotWrite={mayNotWrite} />
        ),
        onPanelClose: closePanel,
      })}
      drawn={drawn ?? figures.drawn ?? drawnVersion}
      onKeepTest={mayNotWrite ? undefined : keepTest.mutateAsync}
    >
      {(workflow) => (
        <>
          <EnrolmentDialog workflow={workflow} open={url.panel === 'settings'} onClose={closePanel} />
          <StartDialog
            workflow={workflow}
            open={isStarting}
            onClose={() => setStarting(false)}
            onStarted={() => change({ panel: 'runs', run: undefined })}
          />
        </>
      )}
    </FlowView>
  )
}
