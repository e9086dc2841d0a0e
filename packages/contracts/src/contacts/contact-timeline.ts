import { z } from 'zod'
import { campaignOfContactSchema } from '../campaigns/campaign-recipients.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField, pageQueryFields, timeSchema } from '../core/records.ts'
import { activitySchema, messageSchema } from '../inbox/messages.ts'
import { consentEntrySchema } from './consent.ts'
import { contactSchema } from './contacts.ts'

/** Items of a page unless the query says otherwise. */
export const timelinePageSize = 20

const fields = { /** Unique in a timeline. */ id: idSchema, at: timeSchema }

const addedSchema = z.object({
  kind: z.literal('added'),
  ...fields,
  source: contactSchema.shape.source,
  /** User id of the member who typed it in; absent for older contacts. */
  memberId: idSchema.optional(),
  /** The import that brought it, as long as that is kept, and its file. */
  import: z.object({ id: idSchema, fileName: z.string().max(240) }).optional(),
  /** Name of a contact that was merged into this one. */
  name: z.string().optional(),
})

const consentSchema = consentEntrySchema
  .pick({ category: true, value: true, source: true, note: true, memberId: true, takenBackAt: true })
  .extend({ kind: z.literal('consent'), ...fields })

const mergedSchema = z.object({
  kind: z.literal('merged'),
  ...fields,
  name: z.string(),
  /** The user's id; absent where WhatsApp reported that both are the same person. */
  memberId: idSchema.optional(),
})

const campaignSchema = campaignOfContactSchema
  .pick({ campaignId: true, campaignName: true, state: true, reason: true, clicked: true, replied: true })
  .extend({ kind: z.literal('campaign'), ...fields })

const inConversation = { ...fields, conversationId: idSchema, messageId: idSchema, cause: messageSchema.shape.cause }
const activityItemSchema = z.object({
  kind: z.literal('activity'),
  ...inConversation,
  activity: activitySchema.optional(),
  /** For a page that does not know the activity. */
  text: z.string().max(300),
})
const noteSchema = z.object({
  kind: z.literal('note'),
  ...inConversation,
  /** Beginning of its text. */
  text: z.string().max(300),
})

const timelineItemSchema = z.discriminatedUnion('kind', [
  addedSchema,
  consentSchema,
  mergedSchema,
  campaignSchema,
  activityItemSchema,
  noteSchema,
])
export type TimelineItem = z.infer<typeof timelineItemSchema>

export const contactTimelineApi = {
  read: defineEndpoint({
    operation: 'contacts.timeline',
    method: 'GET',
    path: '/api/contacts/:id/timeline',
    access: 'session',
    permission: 'contacts:read',
    summary:
      'Activity of a contact and those merged into it, newest first: how it was added, consent, merges, campaigns, and members’ actions and notes in its conversations. Messages are not included.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: z.object({
      ...leftOutField,
      items: z.array(timelineItemSchema).max(100),
      nextCursor: z.string().max(512).nullable(),
    }),
    errors: ['not_found'],
  }),
}
export type TimelinePage = z.infer<typeof contactTimelineApi.read.response>
