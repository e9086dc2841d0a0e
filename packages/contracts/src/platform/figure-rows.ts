import { z } from 'zod'
import { contactJobSchema, exportFormats } from '../contacts/contact-jobs.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, daySchema, idSchema, timeSchema } from '../core/records.ts'
import { messageStatuses } from '../inbox/messages.ts'

/** Figures that are sums of rows: messages, times that customers waited, conversations that bots took over or somebody closed. */
export const rowMetrics = [
  'totalMessages',
  'messagesSent',
  'received',
  'waits',
  'botInteractions',
  'resolved',
  // Counts of one member: customers whom they answered, those whom they answered after the response target, and who rated them.
  'replied',
  'missed',
  'ratings',
  // Counts of one member or bot: conversations that they closed.
  'closed',
] as const
export type RowMetric = (typeof rowMetrics)[number]

/** Longest period whose rows are read at once. */
export const maxRowDays = 366

const rowFields = {
  id: idSchema,
  at: timeSchema,
  /** `null` once the person was erased, and where the caller does not see the conversation. */
  conversationId: idSchema.nullable(),
  contactName: z.string().max(200).nullable(),
  /** Set where the caller does not see the conversation. */
  hidden: z.literal(true).optional(),
}
const actorSchema = z.object({ kind: z.string().max(20), id: z.string().max(64) })

const messageRowSchema = z.object({
  ...rowFields,
  kind: z.literal('message'),
  direction: z.enum(['inbound', 'outbound']),
  status: z.enum(messageStatuses).nullable(),
  by: actorSchema.nullable(),
  /** Part of the sample data. */
  sample: z.literal(true).optional(),
})
const waitRowSchema = z.object({
  ...rowFields,
  kind: z.literal('wait'),
  /** `young`: unanswered for less than 24 hours, and not part of the rate yet. */
  state: z.enum(['answered', 'late', 'waiting', 'young']),
  answeredAt: timeSchema.nullable(),
  by: actorSchema.nullable(),
  /** Seconds of opening hours that the answer took. */
  openSeconds: countSchema.optional(),
  /** Set where it came after the response target. */
  missed: z.literal(true).optional(),
})
const botRowSchema = z.object({
  ...rowFields,
  kind: z.literal('bot'),
  botId: idSchema,
  endedAt: timeSchema.nullable(),
  resolved: z.boolean(),
})
const closureRowSchema = z.object({
  ...rowFields,
  kind: z.literal('closure'),
  by: actorSchema,
  /** Seconds of opening hours for which it was open; absent where no customer had begun it, nor anybody opened it again. */
  openSeconds: countSchema.optional(),
})
const ratingRowSchema = z.object({
  ...rowFields,
  kind: z.literal('rating'),
  score: z.number().int().min(1).max(5),
  comment: z.string().max(1000).nullable(),
  by: actorSchema.nullable(),
})
const figureRowSchema = z.discriminatedUnion('kind', [
  messageRowSchema,
  waitRowSchema,
  botRowSchema,
  ratingRowSchema,
  closureRowSchema,
])
export type FigureRow = z.infer<typeof figureRowSchema>

const rowsFields = {
  metric: z.enum(rowMetrics),
  /** First and last day, in the workspace's zone. */
  from: daySchema,
  to: daySchema,
  scope: z
    .string()
    .max(80)
    .regex(/^(workspace|(number|member|bot):[\w-]{1,64})$/, 'Name workspace, number:<id>, member:<id> or bot:<id>')
    .default('workspace'),
}

export const figureRowsApi = {
  list: defineEndpoint({
    operation: 'analytics.rows',
    method: 'GET',
    path: '/api/analytics/rows',
    access: 'session',
    permission: 'analytics:read',
    v1: true,
    summary: 'Rows that a figure is the sum of, newest first.',
    query: z.object({
      ...rowsFields,
      limit: z.coerce.number().int().min(1).max(100).optional(),
      cursor: z.string().max(512).optional(),
    }),
    status: 200,
    response: z.object({
      items: z.array(figureRowSchema).max(100),
      nextCursor: z.string().nullable(),
      asOf: timeSchema,
      timeZone: z.string().max(64),
      /** Figure of these days: rows that are not of the sample data, `sample` and `erased` together. */
      figure: countSchema,
      /** Part that the sample data tells as a figure. */
      sample: countSchema,
      /** Messages that were erased with their person. */
      erased: countSchema,
    }),
    errors: [],
  }),
  export: defineEndpoint({
    operation: 'analytics.export',
    method: 'POST',
    path: '/api/analytics/rows/exports',
    access: 'session',
    permission: 'analytics:export',
    summary: 'Starts an export of the rows of a figure to a file that is kept for seven days.',
    body: z.object({ ...rowsFields, format: z.enum(exportFormats) }),
    status: 201,
    response: contactJobSchema,
    errors: [],
  }),
}
