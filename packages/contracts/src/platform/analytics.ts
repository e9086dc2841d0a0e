import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, percentSchema, timeSchema } from '../core/records.ts'

export const analyticsPeriods = ['7d', '30d', '90d'] as const
export type AnalyticsPeriod = (typeof analyticsPeriods)[number]

const changedValueSchema = z.object({
  value: countSchema,
  /** Percent more or less than in the month before. */
  changePercent: z.number(),
})

const dayTrafficSchema = z.object({ at: timeSchema, sent: countSchema, received: countSchema })
export type DayTraffic = z.infer<typeof dayTrafficSchema>

const campaignPerformanceSchema = z.object({
  id: idSchema,
  name: z.string().max(120),
  delivered: countSchema,
  opened: countSchema,
  clicked: countSchema,
  /** `opened` of `delivered`. */
  openRate: percentSchema,
})
export type CampaignPerformance = z.infer<typeof campaignPerformanceSchema>

const botPerformanceSchema = z.object({
  id: idSchema,
  name: z.string().max(80),
  conversations: countSchema,
  resolved: countSchema,
  /** `resolved` of `conversations`. */
  rate: percentSchema,
})
export type BotPerformance = z.infer<typeof botPerformanceSchema>

/** Figures of one period on the screen, each beside that of the period before. */
export const analyticsSchema = z.object({
  period: z.enum(analyticsPeriods),
  from: timeSchema,
  to: timeSchema,
  stats: z.object({
    totalMessages: changedValueSchema,
    messagesSent: changedValueSchema,
    activeContacts: changedValueSchema,
    botInteractions: changedValueSchema,
  }),
  /** Messages This Week: the last seven days, oldest first, whatever the period. */
  week: z.array(dayTrafficSchema).length(7),
  /** Every day of the period, oldest first. */
  days: z.array(dayTrafficSchema).max(92),
  campaigns: z.array(campaignPerformanceSchema).max(100),
  bots: z.array(botPerformanceSchema).max(100),
})
export type Analytics = z.infer<typeof analyticsSchema>

export const analyticsApi = {
  read: defineEndpoint({
    operation: 'analytics.read',
    method: 'GET',
    path: '/api/analytics',
    access: 'session',
    permission: 'analytics:read',
    summary: 'Traffic, campaigns and bots of a period. Campaigns by open rate, bots by conversations, best first.',
    query: z.object({ period: z.enum(analyticsPeriods).optional() }),
    status: 200,
    response: analyticsSchema,
    errors: [],
  }),
}
