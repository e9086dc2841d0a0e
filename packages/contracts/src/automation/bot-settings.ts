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

/**
 * One day's opening times, `HH:MM`; several spans a day are several entries. `day`: 0 is Sunday. One that ends before it begins
 * runs over midnight; the same time twice is the whole day.
 */
const openSpanSchema = z.object({
  day: z.number().int().min(0).max(6),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time'),
  to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter a time'),
})

export const businessHoursSchema = z.object({
  timeZone: z.string().min(1).max(64),
  spans: z.array(openSpanSchema).max(50),
  /** Days without service, `YYYY-MM-DD` in that zone. */
  closedOn: z.array(z.iso.date()).max(100),
})
export type BusinessHours = z.infer<typeof businessHoursSchema>

/** Settings of a workspace for all of its bots. */
export const automationSettingsSchema = z.object({
  businessHours: businessHoursSchema,
  /** Replaces a bot's hand-over text outside business hours; absent: the same text at all hours. */
  closedText: messageTextSchema.optional(),
  /** Words by which a customer asks for a person. */
  handOverWords: z.array(z.string().trim().min(1).max(60)).max(50),
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
    summary: 'Business hours and hand-over words, for the whole workspace.',
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
    }),
    status: 200,
    response: automationSettingsSchema,
    errors: ['stale_version'],
  }),
}
