import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

/** Values of one metric over time, oldest first. */
const seriesSchema = z.object({
  metric: z.string().max(64),
  bucket: z.enum(['hour', 'day']),
  points: z.array(z.object({ at: z.iso.datetime(), value: z.number() })).max(366),
})

const trendSchema = z.object({
  /** Change of the value; negative is down. */
  change: z.number(),
  /** `percent` is relative, `points` is between two percentages, `count` is absolute. */
  unit: z.enum(['percent', 'points', 'count']),
  since: z.enum(['yesterday', 'last_week', 'last_month']),
})
export type Trend = z.infer<typeof trendSchema>

/** One stat card: its value, how it moved and the series behind the sparkline. */
const statSchema = z.object({ value: z.number(), trend: trendSchema, series: seriesSchema })
export type Stat = z.infer<typeof statSchema>

const creditUsageSchema = z.object({
  used: z.number().int().nonnegative(),
  limit: z.number().int().positive(),
  resetsAt: z.iso.datetime(),
})
export type CreditUsage = z.infer<typeof creditUsageSchema>

export const activityKinds = ['message', 'campaign', 'bot', 'error'] as const

const activityItemSchema = z.object({
  id: z.string().max(64),
  kind: z.enum(activityKinds),
  text: z.string().max(200),
  /** Object of the event: the contact, campaign or bot. */
  object: z.object({ id: z.string().max(64), name: z.string().max(200) }),
  at: z.iso.datetime(),
})
export type ActivityItem = z.infer<typeof activityItemSchema>

/** Everything that the dashboard shows. */
export const dashboardSchema = z.object({
  stats: z.object({
    totalMessages: statSchema,
    activeCampaigns: statSchema,
    /** `value` is {@link CreditUsage}'s limit less what is used. */
    creditsRemaining: statSchema,
    /** In percent, 0–100. */
    responseRate: statSchema,
  }),
  credits: creditUsageSchema,
  /** Newest first. */
  activity: z.array(activityItemSchema).max(20),
})
export type Dashboard = z.infer<typeof dashboardSchema>

export const dashboardApi = {
  read: defineEndpoint({
    operation: 'dashboard.read',
    method: 'GET',
    path: '/api/dashboard',
    access: 'session',
    permission: 'member',
    summary: 'Counters, credits and the latest activity of the workspace.',
    status: 200,
    response: dashboardSchema,
    errors: [],
  }),
}
