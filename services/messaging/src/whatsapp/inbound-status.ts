import { z } from 'zod'

/** Steps of an outbound message as the platform tells them; `played` is a voice note that was listened to. */
const statuses = ['sent', 'delivered', 'read', 'played', 'failed', 'deleted'] as const

const text = (max: number) =>
  z
    .string()
    .transform((value) => value.slice(0, max))
    .optional()
    .catch(undefined)

const statusSchema = z.looseObject({
  id: z.string().min(1).max(512),
  status: z.string().max(40),
  timestamp: z.coerce.number().int().positive(),
  recipient_id: text(200),
  recipient_user_id: text(200),
  biz_opaque_callback_data: text(512),
  pricing: z
    .looseObject({
      billable: z.boolean().optional(),
      pricing_model: text(20),
      type: text(60),
      category: z.string().max(60),
    })
    .optional()
    .catch(undefined),
  errors: z
    .array(
      z.looseObject({
        code: z.coerce.number().int(),
        title: text(300),
        message: text(500),
        error_data: z
          .looseObject({ details: text(1000) })
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
})

/** One step of an outbound message. */
export interface InboundStatus {
  readonly waMessageId: string
  /** `undefined` for a step that nobody here knows. */
  readonly status: (typeof statuses)[number] | undefined
  readonly at: Date
  readonly waId: string | undefined
  readonly userId: string | undefined
  /** What we gave along with the send: our own message id. */
  readonly callbackData: string | undefined
  readonly pricing:
    | { readonly billable: boolean; readonly type: string | undefined; readonly category: string }
    | undefined
  readonly error: { readonly code: number; readonly details: string } | undefined
}

/** Reads one status of a webhook. @throws ZodError where it has no id or no time. */
export function readInboundStatus(status: unknown): InboundStatus {
  const parsed = statusSchema.parse(status)
  const [error] = parsed.errors ?? []
  const { pricing } = parsed
  return {
    waMessageId: parsed.id,
    status: statuses.find((known) => known === parsed.status),
    at: new Date(parsed.timestamp * 1000),
    waId: parsed.recipient_id,
    userId: parsed.recipient_user_id,
    callbackData: parsed.biz_opaque_callback_data,
    pricing: pricing && { billable: pricing.billable ?? true, type: pricing.type, category: pricing.category },
    error: error && { code: error.code, details: error.error_data?.details ?? error.message ?? error.title ?? '' },
  }
}
