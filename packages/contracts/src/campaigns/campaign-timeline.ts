import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { reviewWarnings } from './campaign-drafts.ts'
import { missedKinds } from './campaign-fields.ts'
import { pauseReasons } from './campaigns.ts'

const fields = {
  id: idSchema,
  at: timeSchema,
  /** The user's id; absent where the server has acted by itself. */
  memberId: idSchema.optional(),
}
const event = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...fields, ...shape })

const itemSchema = z.discriminatedUnion('kind', [
  /** Loaded with the sample data: nothing is known of what came before. */
  event('sample', {}),
  /** Begun as a draft; `follows`: for those whom another campaign has missed. */
  event('created', { follows: z.object({ campaignId: idSchema, name: z.string().max(120) }).optional() }),
  event('reviewed', { audience: countSchema, recipients: countSchema }),
  /** Started or scheduled, with the warnings that were confirmed. */
  event('launched', {
    recipients: countSchema,
    accepted: z.array(z.enum(reviewWarnings)).max(10),
    scheduledFor: timeSchema.optional(),
  }),
  /** A scheduled campaign starts: by itself, or because a member did not wait. */
  event('started', {}),
  /** Its audience was written down again: the change in number since its review. */
  event('counted', { audience: z.number().int(), recipients: z.number().int() }),
  event('paused', { reason: z.enum(pauseReasons).optional(), detail: z.string().max(500).optional() }),
  /** `newText`: with the present text of its template. */
  event('resumed', { newText: z.literal(true).optional() }),
  event('rescheduled', { scheduledFor: timeSchema }),
  event('waits', { for: z.enum(['hours', 'limit']), until: timeSchema }),
  event('completed', {}),
  event('cancelled', {}),
  /** Another campaign was begun for those whom this one has missed. */
  event('followed', { campaignId: idSchema, name: z.string().max(120), missed: z.enum(missedKinds) }),
  /** Its rows were kept for this many months after its end; its figures stay. */
  event('recipients_removed', { months: z.number().int().positive() }),
])
export type CampaignTimelineItem = z.infer<typeof itemSchema>

export const campaignTimelineApi = {
  read: defineEndpoint({
    operation: 'campaigns.timeline',
    method: 'GET',
    path: '/api/campaigns/:id/timeline',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    summary: 'Activity of a campaign or draft by members and by the system, latest first.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(itemSchema),
    errors: ['not_found'],
  }),
}
