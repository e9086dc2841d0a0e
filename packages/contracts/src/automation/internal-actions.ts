import { z } from 'zod'
import { tagNameSchema } from '../contacts/tags.ts'
import { countSchema, idSchema, recordKey, timeSchema } from '../core/records.ts'
import { outgoingContentSchema } from '../inbox/outgoing-content.ts'
import { snapshotSchema } from '../platform/event-snapshots.ts'
import { assigneeSchema } from './bot-settings.ts'

/** One question with options: buttons (1–3), or a list that `button` opens (1–10). */
const promptSchema = z.object({
  type: z.literal('interactive'),
  text: z.string().min(1).max(1024),
  button: z.string().min(1).max(20).optional(),
  options: z
    .array(
      z.object({
        /** `<runId>.<inputNo>.<choiceId>`, so that a tap names the question that it answers. */
        id: z.string().min(1).max(256),
        title: z.string().min(1).max(24),
        description: z.string().max(72).optional(),
      }),
    )
    .min(1)
    .max(10),
})

/** A form of the number's account. `token` comes back with its answers as the id of an option does: `<runId>.<inputNo>.form`. */
const formSchema = z.object({
  type: z.literal('form'),
  text: z.string().min(1).max(1024),
  button: z.string().min(1).max(20),
  /** Id at WhatsApp. */
  formId: z.string().min(1).max(64),
  screen: z.string().min(1).max(80).optional(),
  token: z.string().min(1).max(256),
})

/** `<runId>.<inputNo>.<index>`: an action is done once by it. For a message it is the `clientId`. */
const keySchema = z.string().min(8).max(64)

/** One action that a run asks messaging for. Consent, window, quota and limits are decided there and nowhere else. */
export const internalActionSchema = z.discriminatedUnion('type', [
  /** Makes the bot the conversation's owner; refused with `conversation_taken` while a person holds it. */
  z.object({
    key: keySchema,
    type: z.literal('claim'),
    botId: idSchema,
    /** Time of the message by which the session has begun: a customer who waited before it waits for a person. */
    since: timeSchema.optional(),
  }),
  /**
   * Ends the bot's ownership. `resolved`: its messages are read. `attention`: the conversation waits for a person from now, and
   * assignment runs. `completed`: the run has come to its drawn end.
   */
  z.object({
    key: keySchema,
    type: z.literal('release'),
    resolved: z.boolean().optional(),
    /** Newest message that the run has read: later ones stay unread where it has `resolved` the matter, and wait for an answer. */
    upTo: idSchema.optional(),
    completed: z.boolean().optional(),
    attention: z.boolean().optional(),
    /** Does nothing where the conversation is not this flow's: it does not know whether it has claimed it. */
    ifOwn: z.boolean().optional(),
  }),
  z.object({
    key: keySchema,
    type: z.literal('send'),
    content: z.union([outgoingContentSchema, promptSchema, formSchema]),
  }),
  z.object({
    key: keySchema,
    type: z.literal('send_template'),
    templateId: idSchema,
    /** Values of its placeholders, filled in already. */
    variables: z.record(recordKey, z.string().max(1024)),
  }),
  z.object({ key: keySchema, type: z.literal('typing') }),
  z.object({
    key: keySchema,
    type: z.literal('set_attribute'),
    attribute: z.string().min(1).max(64),
    value: z.string().max(1000),
  }),
  z.object({ key: keySchema, type: z.literal('add_tag'), tag: tagNameSchema }),
  z.object({ key: keySchema, type: z.literal('remove_tag'), tag: tagNameSchema }),
  /** Gives the conversation to people. The bot may continue in the background under the new epoch, but holds no more. */
  z.object({ key: keySchema, type: z.literal('assign'), to: assigneeSchema }),
  z.object({ key: keySchema, type: z.literal('close') }),
  /** An internal note that members read in the thread. */
  z.object({ key: keySchema, type: z.literal('note'), text: z.string().min(1).max(2000) }),
])
export type InternalAction = z.infer<typeof internalActionSchema>

/** Codes of refusals of one action, which are no errors of the call: the flow leaves by its `failed` branch. */
export const actionResultSchema = z.object({
  key: keySchema,
  outcome: z.enum(['done', 'refused']),
  /** `window_closed`, `conversation_taken`, `not_found`, `quota_reached`, `opted_out`, `blocked`, `validation_failed` … */
  code: z.string().max(60).optional(),
  /** Sentence for the attention list. */
  message: z.string().max(500).optional(),
  messageId: idSchema.optional(),
})

/** Contact and conversation as they are now. */
export const actionFactsSchema = z.object({
  epoch: countSchema,
  /** True while a member owns the conversation, or for 24 hours after a colleague wrote from the phone. */
  heldByPerson: z.boolean(),
  snapshot: snapshotSchema,
  now: timeSchema,
})
export type ActionFacts = z.infer<typeof actionFactsSchema>
