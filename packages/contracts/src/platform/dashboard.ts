import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, timeSchema } from '../core/records.ts'
import { figuresFields } from './figures.ts'

/** Days that the dashboard sums up, today included; as many before are what it compares with. */
export const dashboardDays = 30

/** Values of one metric over time, oldest first. */
const seriesSchema = z.object({
  metric: z.string().max(64),
  bucket: z.enum(['hour', 'day']),
  points: z.array(z.object({ at: timeSchema, value: z.number() })).max(366),
})

const trendSchema = z.object({
  /** Change of the value, negative is down; `null` where there was nothing before to compare with. */
  change: z.number().nullable(),
  /** `percent` is relative, `points` is between two percentages, `count` is absolute. */
  unit: z.enum(['percent', 'points', 'count']),
  since: z.enum(['yesterday', 'last_week', 'last_month']),
})
export type Trend = z.infer<typeof trendSchema>

/** One stat card: its value, `null` where there is nothing to say it of, how it moved and the series behind the sparkline. */
const statSchema = z.object({ value: z.number().nullable(), trend: trendSchema, series: seriesSchema })
export type Stat = z.infer<typeof statSchema>

const activityKinds = ['message', 'campaign', 'bot', 'error'] as const

const activityItemSchema = z.object({
  id: z.string().max(128),
  kind: z.enum(activityKinds),
  text: z.string().max(200),
  /** Subject of the event; a conversation has the name of its contact. */
  object: z.object({ kind: z.enum(['conversation', 'campaign', 'bot']), id: idSchema, name: z.string().max(200) }),
  at: timeSchema,
})
export type ActivityItem = z.infer<typeof activityItemSchema>

/** Everything that the dashboard shows beside credits, which `usage` tells. */
const dashboardSchema = z.object({
  ...figuresFields,
  stats: z.object({
    /** Sent and received. */
    totalMessages: statSchema,
    /** Campaigns that are sending now. */
    activeCampaigns: statSchema,
    /** Percent of the times that a customer waited that were answered within 24 hours. */
    responseRate: statSchema,
  }),
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
    summary: 'Counters of the last 30 days of the workspace, compared with the 30 before, and the latest activity.',
    status: 200,
    response: dashboardSchema,
    errors: [],
  }),
}
