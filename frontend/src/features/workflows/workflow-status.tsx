import type { Workflow } from '@parley/contracts/workflows'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Active or paused (specification section 4). */
export const WorkflowStatus = ({ status }: Pick<Workflow, 'status'>) =>
  status === 'active' ? (
    <StatusBadge tone="success">Active</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">Paused</StatusBadge>
  )
