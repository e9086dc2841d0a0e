import { z } from 'zod'
import { momentSchema, optionalIdentity, optionalPhone, optionalText, readableItems } from './wire-values.ts'

/** Steps of an outbound message as the platform tells them; `played` is a voice note that was listened to. */
const statuses = ['sent', 'delivered', 'read', 'played', 'failed', 'deleted'] as const

const payments: Readonly<Record<string, 'paid' | 'failed' | 'pending'>> = {
  captured: 'paid',
  failed: 'failed',
  pending: 'pending',
}

const statusSchema = z.looseObject({
  id: z.string().min(1).max(512),
  /** Absent for a step of the message itself. */
  type: z.string().max(40).optional().catch(undefined),
  status: z.string().max(40),
  timestamp: momentSchema,
  recipient_id: optionalPhone,
  recipient_type: z.string().max(40).optional().catch(undefined),
  recipient_user_id: optionalIdentity,
  biz_opaque_callback_data: optionalText(512),
  pricing: z
    .looseObject({
      billable: z.boolean().optional().catch(undefined),
      type: optionalText(60),
      category: z.string().min(1).max(60),
    })
    .optional()
    .catch(undefined),
  errors: readableItems(
    z.looseObject({
      code: z.coerce.number().int(),
      title: optionalText(300),
      message: optionalText(500),
      error_data: z
        .looseObject({ details: optionalText(1000) })
        .optional()
        .catch(undefined),
    }),
    10,
  ),
})

/** One step of an outbound message. */
export interface InboundStatus {
  readonly waMessageId: string
  /** `undefined` for an unknown step, and for what is no step of the message itself. */
  readonly status: (typeof statuses)[number] | undefined
  /** State of the payment that the message asks for; `undefined` where the status is of something else. */
  readonly payment?: 'paid' | 'failed' | 'pending' | undefined
  readonly at: Date
  readonly waId: string | undefined
  readonly userId: string | undefined
  /** Our own message id, as given along with the send. */
  readonly callbackData: string | undefined
  readonly pricing:
    | { readonly billable: boolean; readonly type: string | undefined; readonly category: string }
    | undefined
  readonly error: { readonly code: number; readonly details: string } | undefined
}

/** Reads one status of a webhook. @throws ZodError where it has no id or no time. */
export function readInboundStatus(status: unknown): InboundStatus {
  const { type = 'message', recipient_type: sentTo, pricing, ...parsed } = statusSchema.parse(status)
  const [error] = parsed.errors
  const step = type === 'message' ? statuses.find((known) => known === parsed.status) : undefined
  return {
    waMessageId: parsed.id,
    status: step,
    ...(type === 'payment' && { payment: payments[parsed.status] }),
    at: parsed.timestamp,
    // A group has an id of digits, and no country.
    waId: sentTo === 'group' ? undefined : parsed.recipient_id,
    userId: parsed.recipient_user_id,
    callbackData: parsed.biz_opaque_callback_data,
    pricing: pricing && {
      billable: pricing.billable ?? true,
      type: pricing.type,
      category: pricing.category.replace(/^group_/, ''),
    },
    error: error && { code: error.code, details: error.error_data?.details ?? error.message ?? error.title ?? '' },
  }
}
