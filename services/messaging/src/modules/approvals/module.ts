import type { Base } from '../../records.ts'
import { createApprovalRules } from './approval-rules.service.ts'
import { type AboveApprovals, createApprovals } from './approvals.service.ts'

export type ApprovalsModule = ReturnType<typeof createApprovalsModule>

/** Actions that another member has to approve: the rules, and the requests. Who performs an action asks here first. */
export const createApprovalsModule = (lower: Base & AboveApprovals) => ({
  approvalRules: createApprovalRules(lower),
  approvals: createApprovals(lower),
})
