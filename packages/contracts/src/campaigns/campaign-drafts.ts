import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, timeSchema } from '../core/records.ts'
import { costLineSchema, rateCardSchema } from '../usage/rate-cards.ts'
import { campaignDraftSchema, draftFieldsSchema } from './campaign-fields.ts'
import { campaignCountsSchema, campaignSchema } from './campaigns.ts'
import { deliveryPlanSchema } from './delivery-plan.ts'
import { maxFileAddress } from './recipient-files.ts'

/** Milliseconds for which a review can be launched unchanged. */
export const reviewLastsMs = 15 * 60_000

/** Problems that keep a draft from being launched. */
const reviewProblems = [
  'audience_empty',
  'template_not_approved',
  'number_stopped',
  'quota_exceeded',
  'schedule_past',
  'files_unreachable',
] as const

/** Warnings that a member must confirm before a draft is launched. */
export const reviewWarnings = ['number_quality_low', 'plan_nearly_used', 'takes_days', 'files_faulty'] as const
export type ReviewWarning = (typeof reviewWarnings)[number]

const messageSchema = z.string().max(500)

/** Review of a draft: its audience written down, contact by contact. */
export const campaignReviewSchema = z.object({
  id: idSchema,
  /** `failed`: it could not be written down, for the reason in `failure`. */
  state: z.enum(['counting', 'ready', 'failed']),
  startedAt: timeSchema,
  /** End of the time in which it can be launched unchanged; absent until it is ready. */
  validUntil: timeSchema.optional(),
  failure: messageSchema.optional(),
  /** Version of the template that it would send. */
  templateVersion: z.number().int().positive().optional(),
  /** Counts of the part written down so far; complete once it is ready. */
  counts: campaignCountsSchema.pick({ audience: true, excluded: true }).extend({ recipients: countSchema }),
  /** Number of recipients for whom each variable is filled with its fallback. */
  fallbacks: z.array(z.object({ key: z.string().max(64), count: countSchema })).max(100),
  /** Maximum charge by WhatsApp, the country with the most recipients first; null until it is ready. */
  cost: z
    .object({
      /** The prices that hold when it begins; null where there are none. */
      card: rateCardSchema.pick({ effectiveFrom: true, currency: true }).nullable(),
      lines: z.array(costLineSchema).max(300),
    })
    .nullable(),
  /** Times at which messages leave, and the number on each day; null until it is ready. */
  delivery: deliveryPlanSchema.nullable(),
  /** Files of single recipients: a few of them are fetched to see whether they can be sent. */
  files: z
    .object({
      /** Different addresses. */
      distinct: countSchema,
      /** Contacts left out: a field of the address is empty, or what comes out is no address. */
      withoutAddress: countSchema,
      invalidAddress: countSchema,
      checked: countSchema,
      faults: z
        .array(
          z.object({
            title: z.string().max(200),
            count: countSchema,
            /** One of the addresses, and what came of it. */
            example: z.string().max(maxFileAddress),
            detail: messageSchema,
          }),
        )
        .max(10),
    })
    .optional(),
  problems: z.array(z.object({ code: z.enum(reviewProblems), message: messageSchema })).max(10),
  warnings: z.array(z.object({ code: z.enum(reviewWarnings), message: messageSchema })).max(10),
})
export type CampaignReview = z.infer<typeof campaignReviewSchema>

export const campaignDraftsApi = {
  create: defineEndpoint({
    operation: 'campaigns.create',
    method: 'POST',
    path: '/api/campaigns',
    access: 'session',
    permission: 'campaigns:write',
    v1: true,
    summary: 'Creates a campaign as a draft, which may be incomplete.',
    body: draftFieldsSchema,
    status: 201,
    response: campaignDraftSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  save: defineEndpoint({
    operation: 'campaigns.save',
    method: 'PATCH',
    path: '/api/campaigns/:id',
    access: 'session',
    permission: 'campaigns:write',
    v1: true,
    summary: 'Replaces a draft.',
    params: byId,
    body: draftFieldsSchema.extend({ version: z.number().int().positive() }),
    status: 200,
    response: campaignDraftSchema,
    errors: ['not_found', 'wrong_state', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'campaigns.remove',
    method: 'DELETE',
    path: '/api/campaigns/:id',
    access: 'session',
    permission: 'campaigns:write',
    v1: true,
    summary: 'Deletes a draft.',
    params: byId,
    status: 204,
    errors: ['not_found', 'wrong_state'],
  }),
  /** Returns the present review of a draft where that still holds, and starts one otherwise. */
  startReview: defineEndpoint({
    operation: 'campaigns.startReview',
    method: 'POST',
    path: '/api/campaigns/:id/preflight',
    access: 'session',
    permission: 'campaigns:write',
    v1: true,
    summary: 'Starts the review of a complete draft, which freezes its audience in the background.',
    params: byId,
    body: z.object({ version: z.number().int().positive() }),
    status: 202,
    response: campaignReviewSchema,
    errors: ['not_found', 'wrong_state', 'stale_version', 'template_not_approved'],
  }),
  readReview: defineEndpoint({
    operation: 'campaigns.readReview',
    method: 'GET',
    path: '/api/campaigns/:id/preflight',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    summary: 'The review of a draft: its progress and result.',
    params: byId,
    status: 200,
    response: campaignReviewSchema,
    errors: ['not_found'],
  }),
  launch: defineEndpoint({
    operation: 'campaigns.launch',
    method: 'POST',
    path: '/api/campaigns/:id/launch',
    access: 'session',
    permission: 'campaigns:send',
    v1: true,
    summary: 'Starts or schedules the campaign that was reviewed.',
    params: byId,
    body: z.object({
      /** Id of the review that a member has looked at. */
      preflightId: idSchema,
      /** The warnings that they have confirmed. */
      accepted: z.array(z.enum(reviewWarnings)).max(10),
    }),
    status: 200,
    response: campaignSchema,
    errors: [
      'not_found',
      'wrong_state',
      'preflight_stale',
      'approval_required',
      'audience_empty',
      'template_not_approved',
      'quota_exceeded',
      'schedule_past',
    ],
  }),
}
