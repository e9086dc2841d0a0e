import { z } from 'zod'
import { contactSchema } from '../contacts/contacts.ts'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { conversationSchema } from '../inbox/conversations.ts'
import { formAnswersSchema } from '../inbox/messages.ts'

/** A message of the customer as automations read it. */
export const saidSchema = z.object({
  /** Kind of its content: `text`, `image`, `interactive`. */
  type: z.string().max(40),
  /** Text, caption or the title of what was tapped: its first 300 characters. */
  text: z.string().max(300),
  /** True where the whole text is longer. */
  cut: z.literal(true).optional(),
  /** Coordinates of a location. */
  place: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  /** Answers of the form that it has filled in. */
  answers: formAnswersSchema.optional(),
  /** Id of the tapped option, or the token of the form. */
  choice: z.string().max(256).optional(),
  /** A word of consent (`stop`): it starts and moves nothing. */
  command: z.enum(['opt_in', 'opt_out']).optional(),
  /** The campaign that it answers. */
  campaignId: idSchema.optional(),
  /** True where it has begun the conversation, or reopened it. */
  opens: z.literal(true).optional(),
})
export type Said = z.infer<typeof saidSchema>

/** Contact and conversation as they were at an event, so that conditions are exact for that moment. */
export const snapshotSchema = z.object({
  contact: contactSchema,
  conversation: z
    .object({
      id: idSchema,
      numberId: idSchema,
      status: conversationSchema.shape.status,
      owner: conversationSchema.shape.owner.pick({ kind: true, id: true }),
      epoch: countSchema,
      windowExpiresAt: timeSchema.nullable(),
      /** Time at which a colleague wrote last from the phone; `null` after the conversation was closed. */
      personAt: timeSchema.nullable(),
      /** Set where a person has it, so that bots keep quiet; absent in events of older versions as well. */
      held: z.boolean().optional(),
      /** Set while the customer waits for a person. */
      forPerson: z.literal(true).optional(),
    })
    .optional(),
})
export type Snapshot = z.infer<typeof snapshotSchema>
