import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema } from '../core/records.ts'
import { analyticsPeriods } from './analytics.ts'
import { figuresFields, lastDaySchema } from './figures.ts'

/**
 * Upper bound of the counter that a time falls into, in seconds of opening hours; `null` where it took more than the longest,
 * 24 hours.
 */
const atMostSchema = z.object({ atMostSeconds: z.number().int().positive().nullable() })

const memberReportSchema = z.object({
  userId: idSchema,
  /** Name that their open conversations have for them: the only one of those who are no members any more. */
  name: z.string().max(120).optional(),
  /** Customers who waited and whom they answered, also those whom a bot had passed on. */
  replied: countSchema,
  sent: countSchema,
  /** Time that first answers took, by half of them and by 95 of 100; `null` of none. */
  firstAnswer: z.object({ count: countSchema, median: atMostSchema, p95: atMostSchema }).nullable(),
  /** Answers that had a response target, and those that came after it. */
  targeted: countSchema,
  missed: countSchema,
  /** Conversations that they closed, each time. */
  closed: countSchema,
  /** Time for which half of these were open; `null` of none that a customer had begun, or anybody opened again. */
  timeToClose: z.object({ count: countSchema, median: atMostSchema }).nullable(),
  /** Ratings by customers whom they answered last, 1 to 5; `null` of none. */
  rating: z.object({ count: countSchema, average: z.number().min(1).max(5) }).nullable(),
  /** Open conversations that are theirs now. */
  open: countSchema,
})
export type MemberReport = z.infer<typeof memberReportSchema>

/** Answers of all bots together, which are no member's; those within 24 hours count. `closed`: conversations that they closed. */
const botsReportSchema = z.object({ answered: countSchema, closed: countSchema, sent: countSchema })

export const teamReportApi = {
  read: defineEndpoint({
    operation: 'analytics.members',
    method: 'GET',
    path: '/api/analytics/members',
    access: 'session',
    permission: 'analytics:read',
    summary: 'How members answer customers: all of them for owners and admins, the caller alone for others.',
    query: z.object({ period: z.enum(analyticsPeriods).default('30d'), to: lastDaySchema }),
    status: 200,
    response: z.object({
      ...figuresFields,
      members: z.array(memberReportSchema).max(500),
      /** Absent for who sees their own figures alone. */
      bots: botsReportSchema.optional(),
    }),
    errors: [],
  }),
}
