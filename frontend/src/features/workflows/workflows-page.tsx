import { idSchema } from '@parley/contracts/records'
import { workflowStatuses } from '@parley/contracts/workflows'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { WorkflowList } from './workflow-list.tsx'
import { WorkflowView } from './workflow-view.tsx'

const shape = {
  q: z.string().max(100).optional(),
  status: z.enum(workflowStatuses).optional(),
  /** The workflow whose builder is open. */
  workflow: idSchema.optional(),
  /** The dialog that creates one. */
  new: z.literal('1').optional(),
}

/** Specification section 2, Workflows. */
export function WorkflowsPage() {
  const [state, change] = useUrlState(shape)
  return state.workflow ? (
    <WorkflowView key={state.workflow} id={state.workflow} />
  ) : (
    <WorkflowList state={state} onChange={change} />
  )
}
