import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'

/** Receiver of a conversation that a bot hands over: one member, or the queue of conversations without an owner. */
export const assigneeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), memberId: idSchema }),
  z.object({ kind: z.literal('queue') }),
])
export type Assignee = z.infer<typeof assigneeSchema>

const messageTextSchema = z.string().trim().min(1, 'Enter the message').max(1024, 'At most 1,024 characters')

/** Settings of a bot beside its flow. */
export const botSettingsSchema = z.object({
  /** Seconds that free text waits for more of it: customers write one question in several messages. */
  collectSeconds: z.number().min(0).max(10).default(1.5),
  /** Hours after which a question without a deadline of its own is abandoned. */
  idleHours: z.number().int().min(1).max(168).default(23),
  /** Words, beside the workspace's own, by which a customer asks for a person at any point. */
  handOverWords: z.array(z.string().trim().min(1).max(60)).max(50).default([]),
  /** Text to the customer when a person takes over. */
  handOverText: messageTextSchema.default('I am passing you on to a colleague. They will answer here.'),
  /** Text to the customer when the bot cannot continue. */
  failureText: messageTextSchema.default('Something went wrong on our side. A colleague will answer here.'),
  failureTo: assigneeSchema.default({ kind: 'queue' }),
})
export type BotSettings = z.infer<typeof botSettingsSchema>

/** Settings of a workspace for all of its bots. */
export const automationSettingsSchema = z.object({
  /** Replaces a bot's hand-over text outside the workspace's opening hours; absent: the same text at all hours. */
  closedText: messageTextSchema.optional(),
  /** Words by which a customer asks for a person. */
  handOverWords: z.array(z.string().trim().min(1).max(60)).max(50),
  /** Hours without a person's message after which a conversation of people is the bots' again; absent: once it is closed. */
  returnHours: z.number().int().min(1).max(720).optional(),
  version: z.number().int().nonnegative(),
})
export type AutomationSettings = z.infer<typeof automationSettingsSchema>

export const automationSettingsApi = {
  read: defineEndpoint({
    operation: 'automation.settings',
    method: 'GET',
    path: '/api/automation/settings',
    access: 'session',
    permission: 'bots:read',
    summary: 'Hand-over words, texts and hours, for all bots of the workspace.',
    status: 200,
    response: automationSettingsSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'automation.updateSettings',
    method: 'PATCH',
    path: '/api/automation/settings',
    access: 'session',
    permission: 'bots:write',
    summary: 'Changes the settings of the workspace’s bots.',
    body: automationSettingsSchema.partial().required({ version: true }).extend({
      /** `null` deletes it. */
      closedText: automationSettingsSchema.shape.closedText.nullable(),
      /** `null` deletes it. */
      returnHours: automationSettingsSchema.shape.returnHours.nullable(),
    }),
    status: 200,
    response: automationSettingsSchema,
    errors: ['stale_version'],
  }),
}
