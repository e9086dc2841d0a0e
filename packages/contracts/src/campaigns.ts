import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { costLineSchema, newRateCardSchema } from './rate-cards.ts'
import { recentDaysSchema } from './recent-messages.ts'
import { byId, countSchema, idSchema, listOf, pageOf, pageQueryFields, storedFields, timeSchema } from './records.ts'

const campaignStatuses = ['draft', 'scheduled', 'active', 'paused', 'completed', 'cancelled'] as const

/** Why the server itself pauses a campaign; a person resumes it. */
export const pauseReasons = [
  'template_not_approved',
  'template_recategorised',
  'template_changed',
  'template_refused',
  'number_stopped',
  'number_quality',
  'too_many_failures',
  'too_many_unreachable',
  'missed_start',
  'quota',
  'outage',
  'restored',
] as const
export type PauseReason = (typeof pauseReasons)[number]

/** Whom a campaign has not reached, or who has not answered it. Whom it may have reached unconfirmed is in none of these. */
export const missedKinds = ['failed', 'not_delivered', 'not_read', 'not_replied'] as const
export type Missed = (typeof missedKinds)[number]

const audienceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('segment'), segmentId: idSchema }),
  z.object({ kind: z.literal('tags'), tags: z.array(z.string().max(40)).min(1, 'Choose at least one tag').max(50) }),
  z.object({
    kind: z.literal('contacts'),
    contactIds: z.array(idSchema).min(1, 'Choose at least one contact').max(1000),
  }),
  /** Of an earlier campaign that has ended. */
  z.object({ kind: z.literal('campaign'), campaignId: idSchema, missed: z.enum(missedKinds) }),
])
export type Audience = z.infer<typeof audienceSchema>

/** Where the value of a placeholder comes from. */
const variableSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().trim().min(1, 'Enter a value').max(200) }),
  z.object({
    kind: z.literal('field'),
    field: z.string().min(1).max(80),
    fallback: z.string().trim().min(1, 'Enter a fallback').max(200),
  }),
])
export type VariableSource = z.infer<typeof variableSourceSchema>

export const newCampaignSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(120, 'At most 120 characters'),
  audience: audienceSchema,
  numberId: idSchema,
  templateId: z.string().min(1, 'Choose a template').max(64),
  variables: z.record(z.string().max(64), variableSourceSchema),
  /** Absent: as soon as it is created. */
  scheduledFor: timeSchema.optional(),
  /** Marketing that does not keep to the workspace's sending hours. */
  anyHour: z.literal(true).optional(),
  /** Leaves out who has had marketing in so many days; of a template that is no marketing it is not kept. */
  recentDays: recentDaysSchema.optional(),
})
export type NewCampaign = z.infer<typeof newCampaignSchema>

const campaignCountsSchema = z.object({
  /** Everyone the audience matched when it was last counted. */
  audience: countSchema,
  /**
   * Left out, by reason: opted out of marketing, never agreed to it, had some recently where that matters, blocked, without an
   * address or deleted.
   */
  excluded: z.object({
    optedOut: countSchema,
    noOptIn: countSchema,
    recentlyMessaged: countSchema,
    blocked: countSchema,
    unreachable: countSchema,
  }),
  /** Not tried yet; of a cancelled campaign those that nothing was sent to. */
  queued: countSchema,
  /** Taken by WhatsApp, those that were delivered and read among them. */
  sent: countSchema,
  delivered: countSchema,
  read: countSchema,
  /** Whoever has pressed one of its quick replies or opened a link whose visits are counted; null where nobody has. */
  clicked: countSchema.nullable(),
  /**
   * Whoever has written within 72 hours of it with no later campaign in between, or has quoted it within 7 days. Asking to stop is
   * no reply. Null until something was sent.
   */
  replied: countSchema.nullable(),
  failed: countSchema,
  /** Nobody knows whether they left: they are never sent again by themselves. */
  uncertain: countSchema,
})
export type CampaignCounts = z.infer<typeof campaignCountsSchema>

export const campaignSchema = z.object({
  ...storedFields,
  ...newCampaignSchema.shape,
  /** The template's name when the campaign was made. */
  templateName: z.string().max(512),
  audienceName: z.string().max(200),
  status: z.enum(campaignStatuses),
  counts: campaignCountsSchema,
  /** Whether clicks can be counted: `not_tracked` where its buttons lead to websites without that. Absent where there is nothing to click. */
  clicks: z.enum(['counted', 'not_tracked']).optional(),
  /** Why a paused one is paused, where nobody did it by hand. */
  pausedFor: z.enum(pauseReasons).optional(),
  /** What has happened in particular, for a person. */
  pauseDetail: z.string().max(500).optional(),
  /** It is outside of the sending hours: when it goes on by itself. */
  waitsUntil: timeSchema.optional(),
  startedAt: timeSchema.optional(),
  completedAt: timeSchema.optional(),
})
export type Campaign = z.infer<typeof campaignSchema>

/** Told while a campaign runs, and not recorded: how far it has come. */
export const campaignProgressSchema = z.object({ campaignId: idSchema, counts: campaignCountsSchema })
export type CampaignProgress = z.infer<typeof campaignProgressSchema>

export const campaignQuerySchema = z.object({ ...pageQueryFields, status: listOf(z.enum(campaignStatuses)) })
export type CampaignQuery = z.input<typeof campaignQuerySchema>

const campaignActions = ['pause', 'resume', 'cancel'] as const
export type CampaignAction = (typeof campaignActions)[number]

/** Whom a campaign would be for, and what decides who of them is left out. */
const audienceQuestionSchema = z.object({
  audience: audienceSchema,
  /** Who has to agree depends on its category; without it all are counted as for marketing. */
  templateId: idSchema.optional(),
  recentDays: recentDaysSchema.optional(),
  /** On which day it begins; absent: today. Whom it leaves out as written to recently is counted from there. */
  scheduledFor: timeSchema.optional(),
})

export const campaignsApi = {
  list: defineEndpoint({
    operation: 'campaigns.list',
    method: 'GET',
    path: '/api/campaigns',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'Campaigns, the latest first.',
    query: campaignQuerySchema,
    status: 200,
    response: pageOf(campaignSchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'campaigns.summary',
    method: 'GET',
    path: '/api/campaigns/summary',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'How many campaigns there are in each status, and what they sent.',
    status: 200,
    response: z.object({
      total: countSchema,
      active: countSchema,
      scheduled: countSchema,
      completed: countSchema,
      paused: countSchema,
      sent: countSchema,
      delivered: countSchema,
    }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'campaigns.read',
    method: 'GET',
    path: '/api/campaigns/:id',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'One campaign.',
    params: byId,
    status: 200,
    response: campaignSchema,
    errors: ['not_found'],
  }),
  /** What the review step shows before anything is sent. */
  preview: defineEndpoint({
    operation: 'campaigns.preview',
    method: 'POST',
    path: '/api/campaigns/preview',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'Counts an audience and who of it is left out, by reason.',
    body: audienceQuestionSchema,
    status: 200,
    response: campaignCountsSchema.pick({ audience: true, excluded: true }).extend({ reachable: countSchema }),
    errors: ['not_found', 'wrong_state', 'search_too_long'],
  }),
  cost: defineEndpoint({
    operation: 'campaigns.cost',
    method: 'POST',
    path: '/api/campaigns/cost',
    access: 'session',
    permission: 'campaigns:read',
    summary: 'What WhatsApp would charge for a campaign, by the prices that the workspace has entered.',
    body: audienceQuestionSchema.required({ templateId: true }),
    status: 200,
    response: z.object({
      /** The prices that hold when it begins; null where there are none. */
      card: newRateCardSchema.pick({ effectiveFrom: true, currency: true }).nullable(),
      /** By country, the most recipients first. */
      lines: z.array(costLineSchema).max(300),
    }),
    errors: ['not_found', 'wrong_state', 'search_too_long'],
  }),
  create: defineEndpoint({
    operation: 'campaigns.create',
    method: 'POST',
    path: '/api/campaigns',
    access: 'session',
    permission: 'campaigns:write',
    summary: 'Creates a campaign, scheduled or started at once.',
    body: newCampaignSchema,
    status: 201,
    response: campaignSchema,
    errors: ['not_found', 'template_not_approved', 'wrong_state', 'quota_exceeded'],
  }),
  change: defineEndpoint({
    operation: 'campaigns.change',
    method: 'POST',
    path: '/api/campaigns/:id/status',
    access: 'session',
    permission: 'campaigns:send',
    summary: 'Pauses, resumes or cancels a campaign.',
    params: byId,
    body: z.object({
      action: z.enum(campaignActions),
      /** With `resume`, where its template says something else by now: the new text that the caller has seen (`campaigns.text`). */
      newText: z.string().max(64).optional(),
    }),
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'wrong_state', 'pause_reason_holds', 'quota_exceeded'],
  }),
}
