import type { Bot } from '@parley/contracts/automation/bots'
import { StatusBadge } from '../ui/status-badge.tsx'

export const statusNames = { active: 'Active', paused: 'Paused' } as const

/** Active or paused, of a bot or workflow. */
export const FlowStatus = ({ status }: Pick<Bot, 'status'>) => (
  <StatusBadge tone={status === 'active' ? 'success' : 'neutral'}>{statusNames[status]}</StatusBadge>
)
