import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, percentSchema } from '../core/records.ts'
import { figuresFields, figuresScopeSchema, lastDaySchema } from './figures.ts'

export const analyticsPeriods = ['7d', '30d', '90d'] as const
export type AnalyticsPeriod = (typeof analyticsPeriods)[number]

/** Days of a period, its last day included; as many before are what it is compared with. */
export const periodDays = { '7d': 7, '30d': 30, '90d': 90 } as const satisfies Record<AnalyticsPeriod, number>

const changedValueSchema = z.object({
  value: countSchema,
  /** Percent more or less than in as many days before; `null` where there was nothing to compare with. */
  changePercent: z.number().nullable(),
  /** Counted as a day began: there are too many to count at each request, or the days are past. */
  approximate: z.literal(true).optional(),
})
export type ChangedValue = z.infer<typeof changedValueSchema>

const dayTrafficSchema = z.object({ date: z.iso.date(), sent: countSchema, received: countSchema })
export type DayTraffic = z.infer<typeof dayTrafficSchema>

/** A campaign over its whole life. */
const campaignPerformanceSchema = z.object({
  id: idSchema,
  name: z.string().max(120),
  delivered: countSchema,
  opened: countSchema,
  /** `null` where it has nothing whose clicks are counted. */
  clicked: countSchema.nullable(),
  /** `opened` of `delivered`; `null` where nothing was delivered. */
  openRate: percentSchema.nullable(),
})
export type CampaignPerformance = z.infer<typeof campaignPerformanceSchema>

/** Figures of a bot; its name is kept with the bot. */
const botPerformanceSchema = z.object({
  id: idSchema,
  /** Conversations that it took over. */
  conversations: countSchema,
  /** Conversations that it ended, and that were no person's within 24 hours. */
  resolved: countSchema,
  /** `resolved` of `conversations`. */
  rate: percentSchema,
})
export type BotPerformance = z.infer<typeof botPerformanceSchema>

/** Figures of one period on the screen, each beside that of the period before. */
const analyticsSchema = z.object({
  ...figuresFields,
  period: z.enum(analyticsPeriods),
  scope: figuresScopeSchema,
  stats: z.object({
    totalMessages: changedValueSchema,
    messagesSent: changedValueSchema,
    /** `null` where it is not counted: contacts of a number or a member, or of days before they were counted; bots of a member. */
    activeContacts: changedValueSchema.nullable(),
    botInteractions: changedValueSchema.nullable(),
  }),
  /** Messages This Week: the last seven days until `to`, oldest first, whatever the period. */
  week: z.array(dayTrafficSchema).length(7),
  /** Every day of the period, oldest first. */
  days: z.array(dayTrafficSchema).max(92),
  campaigns: z.array(campaignPerformanceSchema).max(100),
  bots: z.array(botPerformanceSchema).max(100),
})
export type Analytics = z.infer<typeof analyticsSchema>

const analyticsQuery = z.object({
  period: z.enum(analyticsPeriods).default('30d'),
  to: lastDaySchema,
  scope: figuresScopeSchema.default('workspace'),
})

export const analyticsApi = {
  read: defineEndpoint({
    operation: 'analytics.read',
    method: 'GET',
    path: '/api/analytics',
    access: 'session',
    permission: 'analytics:read',
    v1: true,
    summary: 'Traffic, campaigns and bots of a period. Campaigns by open rate, bots by conversations, best first.',
    query: analyticsQuery,
    status: 200,
    response: analyticsSchema,
    errors: [],
  }),
}
