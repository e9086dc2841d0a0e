import { z } from 'zod'
import type { Permission } from '../account/permissions.ts'
import { exportFormats } from '../contacts/contact-jobs.ts'
import { contactSelectionSchema } from '../contacts/contacts.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, timeSchema } from '../core/records.ts'
import { currencySchema, microsSchema } from '../usage/money.ts'

/** Members who may decide that a workspace needs before anything can wait for a second one. */
export const minDeciders = 2

/** Hours in which a request is decided, and in which what was approved is done. */
export const approvalHours = 72

const limitOf = (least: number) =>
  z
    .number('Enter a number.')
    .int('Enter a whole number.')
    .min(least, `Enter a number from ${least}.`)
    .max(10_000_000, 'Enter a number up to 10,000,000.')
    .nullable()

/** Actions above these limits need the approval of a second member; `null`: none does. `version` is 0 before the first change. */
const approvalRulesSchema = z.object({
  campaignRecipients: limitOf(0),
  /** In whole units of the currency of the price list. */
  campaignCost: limitOf(0),
  exportedContacts: limitOf(0),
  /** A contact that is deleted alone never needs one. */
  deletedContacts: limitOf(1),
  numberRemoval: z.boolean(),
  version: z.number().int().nonnegative(),
})
export type ApprovalRules = z.infer<typeof approvalRulesSchema>

export const defaultApprovalRules: ApprovalRules = {
  campaignRecipients: null,
  campaignCost: null,
  exportedContacts: null,
  deletedContacts: null,
  numberRemoval: false,
  version: 0,
}

/** Tells an admin why prices cannot be changed where a rule of cost exists. */
export const ownersSetPrices = 'Campaigns above a cost need an approval here, so only an owner can change the prices.'

const microsInUnit = 1_000_000

/** Returns whether the launch of a campaign needs an approval. @param size.unpriced messages whose price is not known: they may cost any amount. */
export const needsApproval = (
  { campaignRecipients, campaignCost }: Pick<ApprovalRules, 'campaignRecipients' | 'campaignCost'>,
  size: { readonly recipients: number; readonly micros: number; readonly unpriced: number },
): boolean =>
  (campaignRecipients !== null && size.recipients > campaignRecipients) ||
  (campaignCost !== null && (size.unpriced > 0 || size.micros > campaignCost * microsInUnit))

const approvalStates = ['pending', 'approved', 'declined', 'expired', 'void', 'used'] as const

const noteSchema = z.string().trim().max(500, 'At most 500 characters.')

/** Actions that are asked for as such; a campaign's launch is asked for with its review. */
const actionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('contact_export'),
    selection: contactSelectionSchema,
    format: z.enum(exportFormats),
  }),
  z.object({ kind: z.literal('contact_deletion'), selection: contactSelectionSchema }),
  z.object({ kind: z.literal('number_removal'), numberId: idSchema }),
])
export type AskedAction = z.infer<typeof actionSchema>

/** Permission for what is asked: who may not do it may not ask for it either. */
const askPermissions = {
  contact_export: 'contacts:export',
  contact_deletion: 'contacts:delete',
  number_removal: 'numbers:write',
} as const satisfies Record<AskedAction['kind'], Permission>

/** Contacts that a request is about, counted at the request; `filter`: what selects them, in words. */
const selectedFields = { contacts: countSchema, filter: z.string().max(600) }
const [exportSchema, deletionSchema, removalSchema] = actionSchema.options
const nameSchema = z.string().max(200)

const subjectSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('campaign'),
    campaignId: idSchema,
    name: nameSchema,
    /** Those of the review that the request was made for. A launch has as many at most. */
    recipients: countSchema,
    /** Expected cost at that time, of the messages with a price, and how many have none; absent without a price list. */
    cost: z.object({ micros: microsSchema, currency: currencySchema, unpriced: countSchema }).optional(),
  }),
  exportSchema.extend(selectedFields),
  deletionSchema.extend(selectedFields),
  removalSchema.extend({ name: nameSchema }),
])

const approvalSchema = z.object({
  id: idSchema,
  /** `void`: what was asked for has changed since, as `changed` tells; `used`: it was done. */
  state: z.enum(approvalStates),
  changed: z.string().max(200).optional(),
  subject: subjectSchema,
  askedBy: idSchema,
  askedAt: timeSchema,
  note: noteSchema,
  /** End of the time to decide; once approved, of the time to do it. */
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
    summary: 'Actions that need the approval of a second member.',
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
    summary: 'Sets which actions need the approval of a second member, from the next one on.',
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
    summary: 'Requests that wait for a decision, the oldest first, and those of the caller that were approved.',
    status: 200,
    response: z.object({ items: z.array(approvalSchema).max(2 * maxOpenApprovals) }),
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
  /** Asked again for the same, the open request is answered. */
  askFor: defineEndpoint({
    operation: 'approvals.askFor',
    method: 'POST',
    path: '/api/approvals',
    access: 'session',
    permission: 'approvals:read',
    actionPermissions: askPermissions,
    summary: 'Asks for the approval that an export, a deletion or the removal of a number needs.',
    body: z.object({ action: actionSchema, note: noteSchema }),
    status: 201,
    response: approvalSchema,
    errors: ['not_found', 'wrong_state'],
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
