import type { Bot } from '@parley/contracts/bots'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Active or paused (specification section 4). */
export const BotStatus = ({ status }: Pick<Bot, 'status'>) =>
  status === 'active' ? (
    <StatusBadge tone="success">Active</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">Paused</StatusBadge>
  )
