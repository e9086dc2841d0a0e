import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import { useState } from 'react'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { runs, workflowReplays, workflows, workflowTests } from './api.ts'
import { BulkRuns } from './bulk-runs.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { EnrolmentDialog } from './enrolment-dialog.tsx'
import { RetryRun } from './retry-run.tsx'
import { StartDialog } from './start-dialog.tsx'
import type { ChangeWorkflowsUrl, WorkflowsUrl } from './url.ts'
import { WorkflowJobs } from './workflow-jobs.tsx'

/** The builder of one workflow, with publication, settings and runs. */
export function WorkflowView({ id, url, change }: { id: string; url: WorkflowsUrl; change: ChangeWorkflowsUrl }) {
  const mayNotPublish = useIsRefused('workflows:publish')
  const [isStarting, setStarting] = useState(false)
  return (
    <FlowView
      key={id}
      id={id}
      flows={workflows}
      runs={runs}
      tests={workflowTests}
      replays={workflowReplays}
      url={url}
      change={change}
      commands={
        <>
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
        </>
      }
      listActions={(workflow, query, total) => <BulkRuns workflow={workflow} query={query} total={total} />}
      runActions={(workflow, run, steps) => (
        <RetryRun workflow={workflow} run={run} steps={steps} onRetried={(again) => change({ run: again })} />
      )}
      aboveRuns={<WorkflowJobs workflowId={id} />}
      dryRun={(workflow, editor) => <DryRunPanel workflow={workflow} editor={editor} />}
    >
      {(workflow, closePanel) => (
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
