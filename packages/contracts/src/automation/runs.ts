import { z } from 'zod'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { workflowStarts } from './triggers.ts'

export const runStatuses = ['collecting', 'working', 'waiting', 'held', 'ended'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Outcomes of a run. `completed` and `handed_over` are as drawn; `taken_over`: a person wrote; `abandoned`: no answer in time. */
export const runOutcomes = [
  'completed',
  'handed_over',
  'taken_over',
  'abandoned',
  'superseded',
  'failed',
  'loop',
  'cancelled',
] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** Event that has started a run of a workflow, or the member who has. */
const startSchema = z.object({
  event: z.enum([...workflowStarts, 'retry']),
  /** The tag, or the field, that has changed. */
  detail: z.string().max(120).optional(),
  /** Kind of the actor who caused the event: `user`, `contact`, `workflow`. */
  by: z.string().max(20).optional(),
})

/** One execution of a flow: the session of a bot with one customer, or the run of a workflow about one contact. */
export const runSchema = z.object({
  id: idSchema,
  /** The bot, or else the workflow. */
  botId: idSchema.optional(),
  workflowId: idSchema.optional(),
  started: startSchema.optional(),
  /** Version that it runs on. */
  number: z.number().int().positive(),
  status: z.enum(runStatuses),
  /** True where it waits for a reply that the customer has been asked for. */
  asks: z.boolean(),
  contactId: idSchema,
  contactName: z.string().max(120).optional(),
  conversationId: idSchema.optional(),
  /** Node at which it stands, or stood last. */
  nodeId: idSchema.optional(),
  outcome: z.enum(runOutcomes).optional(),
  /** Sentence on why it failed or is held. */
  reason: z.string().max(300).optional(),
  /** Code of the refusal for which it failed. */
  code: z.string().max(60).optional(),
  /** The run that it tries again, and the one by which it was tried again. */
  retryOf: idSchema.optional(),
  retriedBy: idSchema.optional(),
  /** Next moment at which it continues by itself. */
  dueAt: timeSchema.optional(),
  createdAt: timeSchema,
  endedAt: timeSchema.optional(),
})
export type Run = z.infer<typeof runSchema>

export const runStepSchema = z.object({
  n: z.number().int().nonnegative(),
  at: timeSchema,
  nodeId: idSchema,
  kind: z.string().max(40),
  branch: z.string().max(64).optional(),
  /** Type of the action: `send`, `add_tag`. */
  action: z.string().max(40).optional(),
  outcome: z.enum(['done', 'refused', 'failed']).optional(),
  code: z.string().max(60).optional(),
  messageId: idSchema.optional(),
  /** Answer of another system. `code`: why an outcome is not known. */
  call: z
    .object({
      status: z.number().int().optional(),
      ms: countSchema.optional(),
      bytes: countSchema.optional(),
      code: z.string().max(60).optional(),
    })
    .optional(),
})
export type RunStep = z.infer<typeof runStepSchema>

/** Something that a person has to look at: messages that nobody answered, or a bot that cannot continue. */
export const attentionSchema = z.object({
  id: idSchema,
  state: z.enum(['open', 'dismissed']),
  /** `late`, `loop`, `refused`, `apply_failed`, `unavailable`. */
  code: z.string().max(60),
  sentence: z.string().max(500),
  /** The bot, or else the workflow. */
  botId: idSchema.optional(),
  botName: z.string().max(80).optional(),
  workflowId: idSchema.optional(),
  workflowName: z.string().max(80).optional(),
  nodeId: idSchema.optional(),
  /** Latest run and conversation of the entry. */
  runId: idSchema.optional(),
  conversationId: idSchema.optional(),
  count: countSchema,
  firstAt: timeSchema,
  lastAt: timeSchema,
})
export type Attention = z.infer<typeof attentionSchema>
