import { z } from 'zod'
import { countSchema, idSchema, percentSchema, storedFields, timeSchema } from '../core/records.ts'
import { webhookEvents } from './public-events.ts'
import { readSigningKey } from './signing-keys.ts'

export const webhookStatuses = ['active', 'failed', 'disabled'] as const

/** Webhooks of one workspace. */
export const maxWebhooks = 50

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Accepts https, and http to the loopback: the server refuses that unless it runs for a developer. */
const webhookUrlSchema = z
  // A text that is not an address has no protocol to check.
  .url({ error: 'Enter a web address that begins with https://', abort: true })
  .max(2000, 'At most 2,000 characters')
  .refine(
    (value) => {
      const { protocol, hostname } = new URL(value)
      return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
    },
    { error: 'The address must begin with https://' },
  )

const eventsSchema = z
  .array(z.enum(webhookEvents))
  .min(1, 'Choose at least one event')
  .max(webhookEvents.length)
  .overwrite((events) => webhookEvents.filter((event) => events.includes(event)))

/** A typed secret, or nothing to have one made. */
export const typedSecretSchema = z
  .string()
  .describe('`whsec_` and base64 of 24 to 64 bytes, or a text of as many bytes. Empty or absent: one is made.')
  .max(256, 'At most 256 characters')
  .superRefine((text, context) => {
    const key = text === '' ? undefined : readSigningKey(text)
    if (typeof key === 'string') context.addIssue({ code: 'custom', message: key })
  })

export const newWebhookSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters'),
  url: webhookUrlSchema,
  events: eventsSchema,
  /** Key of the signature that every delivery carries; one is made where it is empty or absent. */
  secret: typedSecretSchema.optional(),
})
export type NewWebhook = z.infer<typeof newWebhookSchema>

export const webhookSchema = z.object({
  ...storedFields,
  name: newWebhookSchema.shape.name,
  /** Address; only its host for callers who lack `webhooks:write`: paths carry secrets. */
  url: z.string().max(2000),
  events: z.array(z.enum(webhookEvents)),
  status: z.enum(webhookStatuses),
  secret: z.object({
    last4: z.string().max(4),
    updatedAt: timeSchema,
    /** Time until which the secret before signs as well. */
    previousUntil: timeSchema.nullable(),
  }),
  /** Set while the receiver fails: nothing is lost, one waiting delivery at a time is attempted. */
  failing: z
    .object({
      since: timeSchema,
      responseStatus: z.number().int().nullable(),
      nextAttemptAt: timeSchema,
      waiting: countSchema,
    })
    .nullable(),
  /** Reason why nothing is sent any more. */
  disabledFor: z.enum(['failing', 'gone']).nullable(),
  lastTriggeredAt: timeSchema.nullable(),
  /** Number of attempts. */
  totalCalls: countSchema,
  /** Share of attempts that were answered with 2xx; `null` before the first. */
  successRate: percentSchema.nullable(),
  sample: z.literal(true).optional(),
})
export type Webhook = z.infer<typeof webhookSchema>

/** A webhook with its key, `whsec_` and base64: shown this once. */
export const webhookWithKeySchema = webhookSchema.extend({ signingKey: z.string().max(120) })

export const deliveryStates = ['due', 'sending', 'delivered', 'exhausted', 'aborted', 'skipped'] as const

const attemptSchema = z.object({
  at: timeSchema,
  /** Absent where no answer came. */
  status: z.number().int().optional(),
  ms: countSchema,
  /**
   * `timeout`, `unreachable`, `address_refused`; `certificate_expired`, `certificate_other_name`, `certificate_untrusted`, `tls_failed`;
   * beside a status: `clock_off`, where the receiver's clock is more than five minutes away from ours.
   */
  error: z.string().max(60).optional(),
  /** Beginning of the answer. */
  answer: z.string().max(2048).optional(),
})

export const webhookDeliverySchema = z.object({
  id: idSchema,
  /** Id of the event, also the header `webhook-id`. */
  eventId: z.string().max(64),
  type: z.enum(webhookEvents),
  state: z.enum(deliveryStates),
  /** Time at which it was first to be sent. */
  at: timeSchema,
  nextAttemptAt: timeSchema.nullable(),
  attempts: countSchema,
  /** The latest attempt. */
  last: attemptSchema.nullable(),
  test: z.literal(true).optional(),
})
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>

export const deliveryDetailSchema = webhookDeliverySchema.extend({
  log: z.array(attemptSchema).max(20),
  /** Body as it would be sent now: it is never stored. `null` where the webhook or the event is gone. */
  body: z.string().max(40_000).nullable(),
  /** True where it differs from the body that was sent: a record has changed or was erased. */
  differs: z.boolean(),
})
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>

/** Days for which deliveries may be replayed: those of the log of events. */
export const replayDays = 30

export const replayRangeSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  /** Types to replay; absent: all that the webhook is subscribed to. */
  types: eventsSchema.optional(),
  only: z.enum(['failed', 'all']),
})
export type ReplayRange = z.infer<typeof replayRangeSchema>

export const overlapHours = [0, 1, 24, 168] as const
