import EditOutlined from '@ant-design/icons/EditOutlined'
import type { WorkflowSummary } from '@parley/contracts/automation/workflows'
import { FlowCard } from '../../flow-builder/flow-card.tsx'
import { formatCount } from '../../lib/format.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { shortTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { runs, workflows } from './api.ts'

/** One workflow: how it does, and what can be done with it. */
export function WorkflowCard({ workflow }: { workflow: WorkflowSummary }) {
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
