import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { failureClasses } from './failure-classes.ts'
import { removedRecipientsSchema } from './removed-recipients.ts'
import { skipReasons } from './skip-reasons.ts'

/** Reasons why a contact in an audience was sent nothing. */
export const leftOutReasons = [
  ...skipReasons,
  'excluded',
  'no_address',
  'duplicate_address',
  'country_restricted',
  'unreachable',
  'taken_back',
  'no_file',
  'bad_file_address',
] as const

/** Figures of a campaign that open their rows. A recipient who has read it counts as delivered, and one delivered as sent. */
export const outcomes = [
  'queued',
  'sent',
  'delivered',
  'read',
  'clicked',
  'replied',
  'failed',
  'uncertain',
  'opted_out',
  'no_opt_in',
  'recently_messaged',
  'blocked',
  'excluded',
  'country_restricted',
  'unreachable',
] as const
export type Outcome = (typeof outcomes)[number]

const recipientStates = ['waiting', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'left_out'] as const

export const recipientSchema = z.object({
  /** Id of the message to this recipient. */
  id: idSchema,
  contactId: idSchema,
  /** Empty where the contact has been erased. */
  name: z.string().max(200),
  phone: z.string().max(40).optional(),
  /** True while the contact exists. */
  known: z.boolean(),
  state: z.enum(recipientStates),
  /** Reason why it failed or was left out, for a person. */
  reason: z.string().max(500).optional(),
  /** The platform's code of a failure. */
  code: z.number().int().optional(),
  /**
   * For an `uncertain` one, in lists: whether WhatsApp has answered for others that left from the number in the same minute.
   * Absent where unknown.
   */
  beside: z.enum(['answered', 'nothing']).optional(),
  clicked: z.literal(true).optional(),
  /** Time at which a counted link of the message was first opened. */
  clickedAt: timeSchema.optional(),
  replied: z.literal(true).optional(),
  times: z.object({
    sent: timeSchema.optional(),
    delivered: timeSchema.optional(),
    read: timeSchema.optional(),
    failed: timeSchema.optional(),
  }),
})
export type Recipient = z.infer<typeof recipientSchema>

const which = {
  /** Absent: the whole audience. */
  outcome: z.enum(outcomes).optional(),
  /** Selects the failed ones with this code of the platform. */
  code: z.coerce.number().int().min(0).max(9_999_999).optional(),
}
const recipientQuerySchema = z.object({ ...pageQueryFields, ...which })
export type RecipientQuery = z.input<typeof recipientQuerySchema>

const recipientPageSchema = pageOf(recipientSchema).extend({
  /** Reasons why messages of the campaign failed, the most frequent first. */
  failures: z
    .array(
      z.object({
        code: z.number().int(),
        class: z.enum(failureClasses),
        title: z.string().max(500),
        count: countSchema,
      }),
    )
    .max(200),
  /** Set once the list is not kept any more. */
  removed: removedRecipientsSchema.optional(),
})
export type RecipientPage = z.infer<typeof recipientPageSchema>

/** Number of latest campaigns among which those of a contact are looked up. */
export const campaignsLookedThrough = 500
export const maxCampaignsOfContact = 50

export const campaignOfContactSchema = recipientSchema
  .pick({
    id: true,
    state: true,
    reason: true,
    code: true,
    clicked: true,
    replied: true,
    times: true,
  })
  .extend({ campaignId: idSchema, campaignName: z.string(), startedAt: timeSchema })
export type CampaignOfContact = z.infer<typeof campaignOfContactSchema>

export const recipientsApi = {
  list: defineEndpoint({
    operation: 'campaigns.recipients',
    method: 'GET',
    path: '/api/campaigns/:id/recipients',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    tool: 'List the recipients of a campaign and what became of each message.',
    summary: 'Recipients of a campaign with their states, in the order of the frozen audience.',
    params: byId,
    query: recipientQuerySchema,
    status: 200,
    response: recipientPageSchema,
    errors: ['not_found', 'search_too_long'],
  }),
  download: defineEndpoint({
    operation: 'campaigns.recipientsDownload',
    method: 'GET',
    path: '/api/campaigns/:id/recipients.csv',
    access: 'session',
    permission: 'contacts:export',
    audit: 'read',
    v1: true,
    summary: 'All recipients of a campaign as CSV.',
    params: byId,
    query: z.object(which),
    status: 200,
    responseType: 'stream',
    errors: ['not_found', 'recipients_removed'],
  }),
  ofContact: defineEndpoint({
    operation: 'contacts.campaigns',
    method: 'GET',
    path: '/api/contacts/:id/campaigns',
    access: 'session',
    permission: 'campaigns:read',
    summary: `Campaigns that a contact was chosen for, among the latest ${campaignsLookedThrough}, and what has become of each; the latest first.`,
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(campaignOfContactSchema).max(maxCampaignsOfContact) }),
    errors: ['not_found'],
  }),
}
