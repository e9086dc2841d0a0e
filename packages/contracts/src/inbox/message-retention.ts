import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { timeSchema } from '../core/records.ts'

/** Months after which messages may be deleted. */
export const retentionMonths = [3, 6, 12, 24] as const
const monthsSchema = z.union(
  retentionMonths.map((months) => z.literal(months)),
  'Keep messages for 3, 6, 12 or 24 months, or for ever.',
)
/** Days between the setting and the first deletion. */
export const retentionWaitDays = 7
/** Messages that a preview counts at most. */
export const maxRetentionCount = 100_000

/** Months for which messages are kept; `null`: for ever. */
const keptSchema = monthsSchema.nullable()

/** `next` is what was chosen, and from when it holds; until then it can be taken back. `version` is 0 before the first change. */
const messageRetentionSchema = z.object({
  months: keptSchema,
  next: z.object({ months: monthsSchema, from: timeSchema }).nullable(),
  version: z.number().int().nonnegative(),
})
export type MessageRetention = z.infer<typeof messageRetentionSchema>
export type KeptMonths = MessageRetention['months']

export const keptForEver: MessageRetention = { months: null, next: null, version: 0 }

export const messageRetentionApi = {
  read: defineEndpoint({
    operation: 'messageRetention.read',
    method: 'GET',
    path: '/api/workspace/message-retention',
    access: 'session',
    permission: 'workspace:read',
    summary: 'How long messages are kept.',
    status: 200,
    response: messageRetentionSchema,
    errors: [],
  }),
  preview: defineEndpoint({
    operation: 'messageRetention.preview',
    method: 'GET',
    path: '/api/workspace/message-retention/preview',
    access: 'session',
    permission: 'workspace:write',
    summary: `How many messages would go, counted up to ${maxRetentionCount}, and before which time they were sent.`,
    query: z.object({ months: z.coerce.number().pipe(monthsSchema) }),
    status: 200,
    response: z.object({
      before: timeSchema,
      messages: z.number().int().nonnegative(),
      /** False where there are more than were counted. */
      exact: z.boolean(),
    }),
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'messageRetention.update',
    method: 'PUT',
    path: '/api/workspace/message-retention',
    access: 'session',
    permission: 'workspace:write',
    summary: `Sets how long messages are kept. A shorter time holds after ${retentionWaitDays} days, and can be taken back until then.`,
    body: z.object({ months: keptSchema, version: z.number().int().nonnegative() }),
    status: 200,
    response: messageRetentionSchema,
    errors: ['stale_version'],
  }),
}
