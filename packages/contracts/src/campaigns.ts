import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { byId, countSchema, idSchema, listOf, pageOf, pageQueryFields, storedFields, timeSchema } from './records.ts'

const campaignStatuses = ['draft', 'scheduled', 'active', 'paused', 'completed', 'cancelled'] as const

const audienceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('segment'), segmentId: idSchema }),
  z.object({ kind: z.literal('tags'), tags: z.array(z.string().max(40)).min(1, 'Choose at least one tag').max(50) }),
  z.object({
    kind: z.literal('contacts'),
    contactIds: z.array(idSchema).min(1, 'Choose at least one contact').max(1000),
  }),
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
})
export type NewCampaign = z.infer<typeof newCampaignSchema>

const campaignCountsSchema = z.object({
  /** Everyone the audience matched when it was last counted. */
  audience: countSchema,
  /** Left out, by reason: opted out, blocked, no phone number. */
  excluded: z.object({ optedOut: countSchema, blocked: countSchema, unreachable: countSchema }),
  queued: countSchema,
  sent: countSchema,
  delivered: countSchema,
  read: countSchema,
  clicked: countSchema,
  replied: countSchema,
  failed: countSchema,
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
  startedAt: timeSchema.optional(),
  completedAt: timeSchema.optional(),
})
export type Campaign = z.infer<typeof campaignSchema>

export const campaignQuerySchema = z.object({ ...pageQueryFields, status: listOf(z.enum(campaignStatuses)) })
export type CampaignQuery = z.input<typeof campaignQuerySchema>

const campaignActions = ['pause', 'resume', 'cancel'] as const
export type CampaignAction = (typeof campaignActions)[number]

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
    body: z.object({ audience: audienceSchema }),
    status: 200,
    response: campaignCountsSchema.pick({ audience: true, excluded: true }).extend({
      reachable: countSchema,
      /** Credits that sending it takes, and what is left of this period's. */
      credits: z.object({ cost: countSchema, remaining: countSchema }),
    }),
    errors: [],
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
    errors: ['template_not_approved'],
  }),
  change: defineEndpoint({
    operation: 'campaigns.change',
    method: 'POST',
    path: '/api/campaigns/:id/status',
    access: 'session',
    permission: 'campaigns:send',
    summary: 'Pauses, resumes or cancels a campaign.',
    params: byId,
    body: z.object({ action: z.enum(campaignActions) }),
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'wrong_state'],
  }),
}
