import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, timeSchema } from '../core/records.ts'

/** Members who may decide that a workspace needs before launches can wait for a second one. */
export const minDeciders = 2

/** Hours in which a request is decided, and in which an approved campaign is launched. */
export const approvalHours = 72

/** Campaigns with more recipients than that need the approval of a second member. `version` is 0 before the first change. */
const approvalRulesSchema = z.object({
  /** `null`: no campaign does. */
  campaignRecipients: z
    .number('Enter a number.')
    .int('Enter a whole number.')
    .min(0, 'Enter a number from 0.')
    .max(10_000_000, 'Enter a number up to 10,000,000.')
    .nullable(),
  version: z.number().int().nonnegative(),
})
export type ApprovalRules = z.infer<typeof approvalRulesSchema>

export const defaultApprovalRules: ApprovalRules = { campaignRecipients: null, version: 0 }

/** Returns whether the launch of a campaign needs an approval. */
export const needsApproval = ({ campaignRecipients }: ApprovalRules, recipients: number): boolean =>
  campaignRecipients !== null && recipients > campaignRecipients

const approvalStates = ['pending', 'approved', 'declined', 'expired', 'void', 'used'] as const

const noteSchema = z.string().trim().max(500, 'At most 500 characters.')

const approvalSchema = z.object({
  id: idSchema,
  /** `void`: what was asked for has changed since, as `changed` tells; `used`: the campaign was launched. */
  state: z.enum(approvalStates),
  changed: z.string().max(200).optional(),
  campaignId: idSchema,
  campaignName: z.string().max(200),
  /** Recipients of the review that the request was made for: a launch has as many at most. */
  recipients: countSchema,
  askedBy: idSchema,
  askedAt: timeSchema,
  note: noteSchema,
  /** End of the time to decide; once approved, of the time to launch. */
  expiresAt: timeSchema,
  decidedBy: idSchema.optional(),
  decidedAt: timeSchema.optional(),
  reason: noteSchema.optional(),
})
export type Approval = z.infer<typeof approvalSchema>

/** Requests that wait for a decision, as many as are listed. */
export const maxOpenApprovals = 100

export const approvalsApi = {
  readRules: defineEndpoint({
    operation: 'approvalRules.read',
    method: 'GET',
    path: '/api/workspace/approvals',
    access: 'session',
    permission: 'workspace:read',
    summary: 'From how many recipients on a campaign needs the approval of a second member.',
    status: 200,
    response: approvalRulesSchema,
    errors: [],
  }),
  updateRules: defineEndpoint({
    operation: 'approvalRules.update',
    method: 'PUT',
    path: '/api/workspace/approvals',
    access: 'session',
    permission: 'approvals:write',
    summary:
      'Sets from how many recipients on a campaign needs the approval of a second member. It counts with the next launch.',
    body: approvalRulesSchema,
    status: 200,
    response: approvalRulesSchema,
    errors: ['stale_version', 'wrong_state', 'service_unavailable'],
  }),
  list: defineEndpoint({
    operation: 'approvals.list',
    method: 'GET',
    path: '/api/approvals',
    access: 'session',
    permission: 'approvals:read',
    summary: 'Requests that wait for a decision, the oldest first.',
    status: 200,
    response: z.object({ items: z.array(approvalSchema).max(maxOpenApprovals) }),
    errors: [],
  }),
  ofCampaign: defineEndpoint({
    operation: 'approvals.read',
    method: 'GET',
    path: '/api/campaigns/:id/approval',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'The latest request to launch a draft; `null` where nobody has asked.',
    params: byId,
    status: 200,
    response: z.object({ approval: approvalSchema.nullable() }),
    errors: ['not_found'],
  }),
  /** Asked again for the same, the open request is answered; for something else, it takes its place. */
  ask: defineEndpoint({
    operation: 'approvals.ask',
    method: 'POST',
    path: '/api/campaigns/:id/approval',
    access: 'session',
    permission: 'campaigns:send',
    summary: 'Asks for the approval that the launch of a reviewed campaign needs.',
    params: byId,
    body: z.object({ preflightId: idSchema, note: noteSchema }),
    status: 201,
    response: approvalSchema,
    errors: ['not_found', 'wrong_state', 'preflight_stale'],
  }),
  decide: defineEndpoint({
    operation: 'approvals.decide',
    method: 'POST',
    path: '/api/approvals/:id/decision',
    access: 'session',
    permission: 'approvals:decide',
    summary: 'Approves or declines a request of another member. The first decision counts.',
    params: byId,
    body: z.discriminatedUnion('decision', [
      z.object({ decision: z.literal('approve') }),
      z.object({ decision: z.literal('decline'), reason: noteSchema.min(1, 'Say why.') }),
    ]),
    status: 200,
    response: approvalSchema,
    errors: ['not_found', 'wrong_state'],
  }),
}
