import EditOutlined from '@ant-design/icons/EditOutlined'
import NodeIndexOutlined from '@ant-design/icons/NodeIndexOutlined'
import type { WorkflowSummary } from '@parley/contracts/automation/workflows'
import { workflowsApi } from '@parley/contracts/automation/workflows'
import { useQuery } from '@tanstack/react-query'
import { AttentionButton } from '../../flow-builder/attention-button.tsx'
import { FlowCard } from '../../flow-builder/flow-card.tsx'
import { FlowList, flowQueryOf } from '../../flow-builder/flow-list.tsx'
import { AttentionDrawer } from '../../flow-builder/lazy-dialogs.tsx'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { formatCount } from '../../lib/format.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { shortTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Counters } from '../../ui/counters.tsx'
import { runs, workflowSummaryOptions, workflows } from './api.ts'
import type { ChangeWorkflowsUrl, WorkflowsUrl } from './url.ts'

const sample = { flow: starterFlows.workflow, label: 'Sample: greet a new contact and tag it' }
const words = {
  what: 'workflow' as const,
  create: 'Create Workflow',
  description: 'Workflows handle routine tasks whenever something happens.',
  purpose:
    'A workflow starts automatically when something happens and takes the steps that you would otherwise take by hand: greet a new contact, ask for feedback, hand over to a colleague.',
}

/** The workflows as cards with their counters, and the dialog that creates one. */
export function WorkflowList({ url, change }: { url: WorkflowsUrl; change: ChangeWorkflowsUrl }) {
  const list = useQuery(workflows.listOptions(flowQueryOf(url)))
  const attention = useQuery(runs.attentionOptions())
  return (
    <>
      <FlowList
        url={url}
        change={change}
        list={list}
        words={words}
        creation={{ nameSchema: workflowsApi.create.body.shape.name, sample, create: workflows.useCreate() }}
        icon={<NodeIndexOutlined />}
        cardHeight="144.4px"
        card={(workflow) => <WorkflowCard key={workflow.id} workflow={workflow} />}
        summary={<Summary />}
        commands={<AttentionButton list={attention} onOpen={() => change({ show: 'attention' })} />}
      />
      <AttentionDrawer runs={runs} open={url.show === 'attention'} onClose={() => change({ show: undefined })} />
    </>
  )
}

function Summary() {
  const { data, isLoadingError } = useQuery(workflowSummaryOptions())
  return (
    <Counters
      failed={isLoadingError}
      items={[
        { label: 'Total Workflows', value: data && formatCount(data.total) },
        { label: 'Active', value: data && formatCount(data.active) },
        { label: 'Total Executions', value: data && formatCount(data.executions) },
        { label: 'Success Rate', value: data && `${data.successRate}%` },
      ]}
    />
  )
}

/** One workflow: how it does, and what can be done with it. */
function WorkflowCard({ workflow }: { workflow: WorkflowSummary }) {
  const { timeZone } = useClock(0)
  const navigate = useNavigate()
  const { nextStartAt } = workflow
  return (
    <FlowCard
      flow={workflow}
      flows={workflows}
      runs={runs}
      facts={[
        ['Triggers', formatCount(workflow.triggers)],
        ['Actions', formatCount(workflow.actions)],
        ['Executions', formatCount(workflow.executions)],
      ]}
      nextStart={nextStartAt && `next start ${shortTime(new Date(nextStartAt), timeZone)}`}
      button={{
        label: 'Edit',
        name: `Edit ${workflow.name}`,
        icon: <EditOutlined aria-hidden />,
        onClick: () => void navigate(`?workflow=${workflow.id}`),
      }}
    />
  )
}
