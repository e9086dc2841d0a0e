import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  byId,
  countSchema,
  idSchema,
  listOf,
  pageOf,
  pageQueryFields,
  storedFields,
  timeSchema,
} from '../core/records.ts'
import { audienceSchema, campaignDraftSchema, completeDraftSchema, scheduleSchema } from './campaign-fields.ts'
import { recentDaysSchema } from './recent-messages.ts'
import { removedRecipientsSchema } from './removed-recipients.ts'

const launchedStatuses = ['scheduled', 'active', 'paused', 'completed', 'cancelled'] as const
export const campaignStatuses = ['draft', ...launchedStatuses] as const

/** Reasons for which the server itself pauses a campaign; a person resumes it. */
export const pauseReasons = [
  'template_not_approved',
  'template_recategorised',
  'template_changed',
  'template_refused',
  'number_stopped',
  'number_quality',
  'too_many_failures',
  'too_many_unreachable',
  'files_failed',
  'missed_start',
  'more_recipients',
  'audience_gone',
  'quota',
  'outage',
  'restored',
] as const
export type PauseReason = (typeof pauseReasons)[number]

export const campaignCountsSchema = z.object({
  /** Everyone the audience matched when it was last counted. */
  audience: countSchema,
  /**
   * Left out, by reason: by the tags and segments that the audience goes without, opted out of marketing, never agreed to it, in a
   * country where WhatsApp delivers none, had some recently where that matters, blocked, or not to be reached: without an address,
   * deleted, or not reached in three campaigns in a row.
   */
  excluded: z.object({
    byChoice: countSchema,
    optedOut: countSchema,
    noOptIn: countSchema,
    countryRestricted: countSchema,
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
  /** Recipients who pressed one of its quick replies or opened a link whose visits are counted; null where there are none. */
  clicked: countSchema.nullable(),
  /**
   * Recipients who wrote within 72 hours of it with no later campaign in between, or quoted it within 7 days. Asking to stop is
   * no reply. Null until something was sent.
   */
  replied: countSchema.nullable(),
  failed: countSchema,
  /** Messages that may or may not have left: they are never resent automatically. */
  uncertain: countSchema,
})
export type CampaignCounts = z.infer<typeof campaignCountsSchema>

/** Exclusion counts while no contact is left out. */
export const nobodyExcluded: CampaignCounts['excluded'] = {
  byChoice: 0,
  optedOut: 0,
  noOptIn: 0,
  countryRestricted: 0,
  recentlyMessaged: 0,
  blocked: 0,
  unreachable: 0,
}

export const campaignSchema = z.object({
  ...storedFields,
  ...completeDraftSchema.shape,
  /** The template's name when the campaign was made. */
  templateName: z.string().max(512),
  /** Version of the template that it sends; absent for campaigns of older versions. */
  templateVersion: z.number().int().positive().optional(),
  audienceName: z.string().max(200),
  status: z.enum(launchedStatuses),
  counts: campaignCountsSchema,
  /** The moment of its schedule. */
  scheduledFor: timeSchema.optional(),
  /** Change of its audience between its review and its start; negative where it shrank. */
  sinceReview: z.object({ audience: z.number().int(), recipients: z.number().int() }).optional(),
  /**
   * States whether clicks can be counted: `not_tracked` where its buttons lead to websites without tracking, `partly` where some
   * do. Absent where there is nothing to click.
   */
  clicks: z.enum(['counted', 'partly', 'not_tracked']).optional(),
  /** Reason for a pause that no member made by hand. */
  pausedFor: z.enum(pauseReasons).optional(),
  /** Details of what happened, for a person. */
  pauseDetail: z.string().max(500).optional(),
  /** Time at which an active one that sends nothing now continues by itself. */
  waitsUntil: timeSchema.optional(),
  /** Reason for its wait: the sending hours, or customers who must stop counting towards the limit of its number at WhatsApp. */
  waitsFor: z.enum(['hours', 'limit']).optional(),
  startedAt: timeSchema.optional(),
  completedAt: timeSchema.optional(),
  /** Once its rows are not kept any more: nothing opens the rows behind its figures. */
  recipientsRemoved: removedRecipientsSchema.optional(),
})
export type Campaign = z.infer<typeof campaignSchema>

/** Entry of a list: a launched campaign, or a draft. */
const anyCampaignSchema = z.discriminatedUnion('status', [campaignDraftSchema, campaignSchema])
export type AnyCampaign = z.infer<typeof anyCampaignSchema>

/** Progress of a running campaign; sent to pages and not recorded. */
export const campaignProgressSchema = z.object({ campaignId: idSchema, counts: campaignCountsSchema })
export type CampaignProgress = z.infer<typeof campaignProgressSchema>

export const campaignQuerySchema = z.object({ ...pageQueryFields, status: listOf(z.enum(campaignStatuses)) })
export type CampaignQuery = z.input<typeof campaignQuerySchema>

/** `start_now` and `reschedule` are for a campaign that has not begun. */
const campaignActions = ['pause', 'resume', 'cancel', 'start_now', 'reschedule'] as const
export type CampaignAction = (typeof campaignActions)[number]

/** The statuses that an action starts from, and the one that it comes to. */
export const campaignMoves = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  cancel: { from: ['scheduled', 'active', 'paused'], to: 'cancelled' },
  start_now: { from: ['scheduled', 'paused'], to: 'active' },
  reschedule: { from: ['scheduled', 'paused'], to: 'scheduled' },
} as const satisfies Record<
  CampaignAction,
  { readonly from: readonly Campaign['status'][]; readonly to: Campaign['status'] }
>

/** Audience of a possible campaign, and what decides which of its contacts are left out. */
const audienceQuestionSchema = z.object({
  audience: audienceSchema,
  /** Template whose category decides which contacts must have agreed; absent: all are counted as for marketing. */
  templateId: idSchema.optional(),
  recentDays: recentDaysSchema.optional(),
  /** Day on which it begins; absent: today. Contacts with recent marketing are left out as of that day. */
  scheduledFor: timeSchema.optional(),
})

export const campaignsApi = {
  list: defineEndpoint({
    operation: 'campaigns.list',
    method: 'GET',
    path: '/api/campaigns',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    tool: 'Find campaigns with their state and figures.',
    summary: 'Campaigns, latest first.',
    query: campaignQuerySchema,
    status: 200,
    response: pageOf(anyCampaignSchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'campaigns.summary',
    method: 'GET',
    path: '/api/campaigns/summary',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    tool: 'Read how many campaigns there are in each state.',
    summary: 'Campaigns per status, and how many messages they sent.',
    status: 200,
    response: z.object({
      /** Excludes drafts. */
      total: countSchema,
      draft: countSchema,
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
    v1: true,
    tool: 'Read the figures of one campaign.',
    summary: 'One campaign, or one draft.',
    params: byId,
    status: 200,
    response: anyCampaignSchema,
    errors: ['not_found'],
  }),
  /** Counts that the first steps show while an audience is chosen. */
  preview: defineEndpoint({
    operation: 'campaigns.preview',
    method: 'POST',
    path: '/api/campaigns/preview',
    access: 'session',
    permission: 'campaigns:read',
    audit: 'none',
    v1: true,
    summary: 'Counts an audience and who is left out of it, by reason.',
    body: audienceQuestionSchema,
    status: 200,
    response: campaignCountsSchema.pick({ audience: true, excluded: true }).extend({ reachable: countSchema }),
    errors: ['not_found', 'wrong_state', 'search_too_long', 'recipients_removed'],
  }),
  change: defineEndpoint({
    operation: 'campaigns.change',
    method: 'POST',
    path: '/api/campaigns/:id/status',
    access: 'session',
    permission: 'campaigns:send',
    v1: true,
    summary: 'Pauses, resumes, cancels, starts or reschedules a campaign.',
    params: byId,
    body: z.object({
      action: z.enum(campaignActions),
      /** For `reschedule`. */
      schedule: scheduleSchema.optional(),
      /** With `resume`, where its template says something else by now: the new text that the caller has seen (`campaigns.text`). */
      newText: z.string().max(64).optional(),
    }),
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'wrong_state', 'approval_required', 'pause_reason_holds', 'quota_exceeded', 'schedule_past'],
  }),
}
