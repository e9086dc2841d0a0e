import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, pageOf, pageQueryFields, percentSchema } from '../core/records.ts'
import { flowStatuses, flowSummarySchema } from './flow-summary.ts'

/** A bot as lists show it: without its flow. */
export const botSummarySchema = flowSummarySchema.extend({
  /** Numbers that it answers at; empty: all. */
  numberIds: z.array(idSchema).max(50),
  /** Sessions begun in the last 30 days. */
  conversations: countSchema,
  /** Ended sessions that the bot ended itself, and after which no person wrote within 24 hours. */
  resolved: countSchema,
  /** `resolved` of those that have ended, whole percent; 0 before the first. */
  automationRate: percentSchema,
})
export type BotSummary = z.infer<typeof botSummarySchema>

/** List of bots, kept apart for other screens that name them and choose among them. */
export const botList = defineEndpoint({
  operation: 'bots.list',
  method: 'GET',
  path: '/api/bots',
  access: 'session',
  permission: 'bots:read',
  summary: 'Bots, by name, without their flows.',
  query: z.object({ ...pageQueryFields, status: z.enum(flowStatuses).optional() }),
  status: 200,
  response: pageOf(botSummarySchema),
  errors: [],
})
