import { workflowsApi } from '@parley/contracts/automation/workflows'
import { CreateFlowDialog } from '../../flow-builder/create-flow-dialog.tsx'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { explain } from '../../lib/explain.ts'
import { toast } from '../../ui/toast.ts'
import { workflows } from './api.ts'

const sample = { flow: starterFlows.workflow, label: 'Sample: greet a new contact and tag it' }

/** Names a new workflow and says what its flow begins with. */
export function CreateWorkflowDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = workflows.useCreate()
  return (
    <CreateFlowDialog
      what="workflow"
      nameSchema={workflowsApi.create.body.shape.name}
      sample={sample}
      pending={create.isPending}
      open={open}
      onCreate={(input, { onSuccess }) =>
        create.mutate(input, {
          onSuccess,
          onError: (error) => toast.error(explain(error, 'The workflow could not be created.')),
        })
      }
      onClose={onClose}
    />
  )
}
