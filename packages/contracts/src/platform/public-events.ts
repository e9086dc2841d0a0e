import { z } from 'zod'
import { failureClasses } from '../campaigns/failure-classes.ts'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { messageSchema } from '../inbox/messages.ts'

/** Types of events that webhooks and the feed carry. */
export const webhookEvents = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'status.update',
  'account.update',
  'webhook.error',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** A contact as public events name them. */
const publicContactSchema = z.object({
  id: idSchema,
  name: z.string().max(200),
  phone: z.string().max(24).optional(),
  username: z.string().max(64).optional(),
})
const publicNumberSchema = z.object({ id: idSchema, name: z.string().max(200), phone: z.string().max(24) })

const publicMessageSchema = z.object({
  ...messageSchema.pick({ id: true, conversationId: true, direction: true, cause: true, sentAt: true }).shape,
  waMessageId: z.string().max(256).optional(),
  /** As `GET /v1/messages/:id` answers with it, media by its id; `truncated` where it would be too long for an event. */
  content: z.looseObject({ type: z.string().max(40), truncated: z.literal(true).optional() }),
  status: messageSchema.shape.status,
  statusAt: timeSchema.optional(),
  /** Counts up when a person has the message sent again. */
  attempt: z.number().int().positive().optional(),
  error: z
    .object({
      code: z.number().int(),
      title: z.string().max(200),
      class: z.enum(failureClasses),
      nextStep: z.string().max(300),
    })
    .optional(),
  pricing: z
    .object({ billable: z.boolean(), category: z.string().max(60), type: z.string().max(60).optional() })
    .optional(),
})

/** Stands in place of the data where the person, or the record, is gone. */
const erasedSchema = z.strictObject({ erased: z.literal(true) })

const messageDataSchema = z.object({
  message: publicMessageSchema,
  contact: publicContactSchema.optional(),
  number: publicNumberSchema.optional(),
  /** True where WhatsApp has reported a later step only. */
  implied: z.literal(true).optional(),
})
const valueSchema = z.union([z.string().max(300), z.number()]).nullable()

const dataSchemas = {
  'message.received': messageDataSchema.omit({ implied: true }).extend({
    conversation: z.object({ id: idSchema, status: z.string().max(40), ownerId: idSchema.optional() }).optional(),
  }),
  'message.sent': messageDataSchema,
  'message.delivered': messageDataSchema,
  'message.read': messageDataSchema,
  'message.failed': messageDataSchema,
  'status.update': z.object({
    subject: z.object({ kind: z.enum(['number', 'template', 'campaign']), id: idSchema, name: z.string().max(512) }),
    field: z.string().max(60),
    previous: valueSchema,
    current: valueSchema,
    reason: z.string().max(500).optional(),
  }),
  'account.update': z.object({
    /** Subject of the change: WhatsApp's news in words, `plan` or `usage`. */
    change: z.string().max(200),
    previous: valueSchema.optional(),
    current: valueSchema.optional(),
    detail: z.string().max(1000).optional(),
    numberId: idSchema.optional(),
  }),
  'webhook.error': z.object({
    webhook: z.object({ id: idSchema, name: z.string().max(80), host: z.string().max(260) }),
    state: z.enum(['failing', 'recovered', 'disabled', 'given_up']),
    responseStatus: z.number().int().optional(),
    since: timeSchema.optional(),
    /** Deliveries that wait, or were given up. */
    deliveries: countSchema,
  }),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>

const envelopeFields = {
  /** Id that is the same on every attempt and replay: receivers recognise repetitions by it. */
  id: z.string().max(64),
  timestamp: timeSchema,
  /** Rises with the workspace's events, with gaps. A test has none. */
  sequence: countSchema,
  workspaceId: idSchema,
  test: z.literal(true).optional(),
}

const envelopeOf = <T extends WebhookEvent>(type: T) =>
  z.object({ ...envelopeFields, type: z.literal(type), data: z.union([erasedSchema, dataSchemas[type]]) })

/** The body of each event, as webhooks and the feed carry it. */
export const publicEventSchemas = {
  'message.received': envelopeOf('message.received'),
  'message.sent': envelopeOf('message.sent'),
  'message.delivered': envelopeOf('message.delivered'),
  'message.read': envelopeOf('message.read'),
  'message.failed': envelopeOf('message.failed'),
  'status.update': envelopeOf('status.update'),
  'account.update': envelopeOf('account.update'),
  'webhook.error': envelopeOf('webhook.error'),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>

/** Parts that several events have, by their names in the document of the API. */
export const publicEventParts = {
  EventMessage: publicMessageSchema,
  EventContact: publicContactSchema,
  EventNumber: publicNumberSchema,
}

/** Any event; no reader has to know all types. */
export const envelopeSchema = z.object({
  ...envelopeFields,
  type: z.enum(webhookEvents),
  data: z.record(z.string(), z.unknown()),
})
export type Envelope = z.infer<typeof envelopeSchema>
