import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import { createApprovalRules } from './approval-rules.service.ts'
import { type AboveApprovals, createApprovals } from './approvals.service.ts'

export type ApprovalsModule = ReturnType<typeof createApprovalsModule>

/** Actions that another member has to approve: the rules, and the requests. Who performs an action asks here first. */
export const createApprovalsModule = (platform: Platform, { addNotifications }: Records, above: AboveApprovals) => ({
  approvalRules: createApprovalRules(platform),
  approvals: createApprovals({ ...platform, ...above, addNotifications }),
})
