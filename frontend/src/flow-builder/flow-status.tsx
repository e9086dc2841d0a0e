import { StatusBadge } from '../ui/status-badge.tsx'

export const flowStatuses = ['active', 'paused'] as const
export type FlowStatusName = (typeof flowStatuses)[number]

export const statusNames = { active: 'Active', paused: 'Paused' } as const

/** Status of a bot or workflow: active or paused. */
export const FlowStatus = ({ status }: { status: FlowStatusName }) => (
  <StatusBadge tone={status === 'active' ? 'success' : 'neutral'}>{statusNames[status]}</StatusBadge>
)
