import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, timeSchema } from '../core/records.ts'
import { campaignDraftSchema, classesSchema, missedKinds } from './campaign-fields.ts'
import { recipientSchema } from './campaign-recipients.ts'

/** One condition of an audience, or a group of them, and whether it holds of a contact now. */
export interface AnsweredCondition {
  /** Sentence for a person; empty for a group. */
  text: string
  holds: boolean
  match?: 'all' | 'any' | undefined
  conditions?: AnsweredCondition[] | undefined
}

const answeredSchema: z.ZodType<AnsweredCondition> = z.object({
  text: z.string().max(300),
  holds: z.boolean(),
  match: z.enum(['all', 'any']).optional(),
  conditions: z.lazy(() => z.array(answeredSchema).max(1000)).optional(),
})

/** Reasons why a contact has no row in a campaign. */
const absences = [
  /** Its audience is being written down. */
  'not_written',
  /** Nothing has been sent: it is written down again at its start. */
  'not_begun',
  /** The contact was made after the audience was written down. */
  'added_later',
  /** It matches by now, and did not when the audience was written down. */
  'matches_now',
  'not_in_audience',
] as const
export type Absence = (typeof absences)[number]

const explanationSchema = z.discriminatedUnion('kind', [
  /** The contact is in the campaign: what has become of it. */
  z.object({ kind: z.literal('row'), recipient: recipientSchema }),
  z.object({
    kind: z.literal('no_row'),
    why: z.enum(absences),
    /** Time at which the audience was written down; absent until it is. */
    writtenAt: timeSchema.optional(),
    /** Time at which the contact was made. */
    addedAt: timeSchema,
    /** The audience as it is now, with an answer to each of its conditions; null where what it was chosen by is gone. */
    conditions: answeredSchema.nullable(),
  }),
])
export type Explanation = z.infer<typeof explanationSchema>

export const campaignResultsApi = {
  explain: defineEndpoint({
    operation: 'campaigns.explain',
    method: 'POST',
    path: '/api/campaigns/:id/explain',
    access: 'session',
    permission: 'campaigns:read',
    audit: 'none',
    v1: true,
    summary: 'The state of a contact in a campaign, or why the campaign leaves it out.',
    params: byId,
    body: z.object({ contactId: idSchema }),
    repeatable: true,
    status: 200,
    response: explanationSchema,
    errors: ['not_found', 'recipients_removed'],
  }),
  retry: defineEndpoint({
    operation: 'campaigns.retry',
    method: 'POST',
    path: '/api/campaigns/:id/retry',
    access: 'session',
    permission: 'campaigns:write',
    v1: true,
    summary: 'Creates a draft for the recipients that an ended campaign missed, with its template, number and values.',
    params: byId,
    body: z.object({
      scope: z.enum(missedKinds),
      /** With `failed`. */
      classes: classesSchema,
      /** Another template than that of the campaign. */
      templateId: idSchema.optional(),
    }),
    status: 201,
    response: campaignDraftSchema,
    errors: ['not_found', 'wrong_state', 'too_early', 'recipients_removed'],
  }),
}
