import { z } from 'zod'
import { conditionGroupSchema } from '../contacts/conditions.ts'
import { mappingsSchema, pointerSchema } from './field-mappings.ts'
import { timingSchema } from './schedule.ts'

/** Events that can start a workflow; `manual`: a member starts it for a contact or a segment. */
export const workflowEvents = [
  'contact.created',
  'contact.tag_added',
  'contact.tag_removed',
  'contact.field_changed',
  'consent.changed',
  'message.received',
  'conversation.opened',
  'conversation.closed',
  'conversation.assigned',
  'campaign.replied',
  'manual',
] as const

/** Everything that can start a workflow: events, and triggers of their own kind. */
export const workflowStarts = [...workflowEvents, 'schedule', 'hook'] as const
export type WorkflowStart = (typeof workflowStarts)[number]

/** Comparisons of a keyword with a message. `word`: next to no letter, mark or digit; `text`: anywhere, for scripts without spaces. */
const keywordMatches = ['exact', 'starts_with', 'word', 'text'] as const
export type KeywordMatch = (typeof keywordMatches)[number]

/** Settings of triggers, by their kinds. */
export const triggerSettings = [
  z.object({
    kind: z.literal('keyword'),
    keywords: z.array(z.string().trim().min(1).max(60)).min(1, 'Enter at least one keyword').max(50),
    match: z.enum(keywordMatches),
    /** It starts this flow even while another run of a bot asks something. */
    interrupts: z.boolean().optional(),
  }),
  /** `first`: only the message that begins or reopens a conversation. Absent: `always`. */
  z.object({ kind: z.literal('any_message'), when: z.enum(['always', 'first']).optional() }),
  /** A member gives the conversation to the bot. */
  z.object({ kind: z.literal('handed_over') }),
  z.object({ kind: z.literal('event'), event: z.enum(workflowEvents), filter: conditionGroupSchema.optional() }),
  /** Starts for the contacts that are in a segment at each of its times. */
  z.object({
    kind: z.literal('schedule'),
    ...timingSchema.shape,
    segmentId: z.string().min(1, 'Choose for whom it starts').max(64),
    filter: conditionGroupSchema.optional(),
  }),
  /** Starts for the contact that a call to its own address names. */
  z.object({
    kind: z.literal('hook'),
    contact: z.object({
      by: z.enum(['phone', 'id']),
      pointer: pointerSchema,
      /** True where a phone number that no contact has makes one. */
      create: z.boolean().optional(),
      /** Name of one that is made. */
      namePointer: pointerSchema.optional(),
    }),
    /** Field by which a repeated call is known, where it has no `Idempotency-Key`; absent: the whole body. */
    keyPointer: pointerSchema.optional(),
    mappings: mappingsSchema(20).optional(),
    filter: conditionGroupSchema.optional(),
  }),
] as const
