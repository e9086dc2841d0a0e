import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  countSchema,
  idSchema,
  pageOf,
  pageQueryFields,
  percentSchema,
  storedFields,
  timeSchema,
} from '../core/records.ts'

export const botStatuses = ['active', 'paused'] as const

export const botNameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')
export const versionSchema = z.number().int().positive()

/** A bot as lists show it: without its flow. */
export const botSummarySchema = z.object({
  ...storedFields,
  name: botNameSchema,
  status: z.enum(botStatuses),
  /** Numbers that it answers at; empty: all. */
  numberIds: z.array(idSchema).max(50),
  /** Number of the version that runs; absent before the first publication. */
  publishedVersion: versionSchema.optional(),
  /** True where the draft differs from the published version by more than the places of its nodes. */
  unpublishedChanges: z.boolean(),
  /** Sessions that run at the moment. */
  running: countSchema,
  /** Open entries of the attention list. */
  attention: countSchema,
  /** Sessions begun in the last 30 days. */
  conversations: countSchema,
  /** Ended sessions that the bot ended itself, and after which no person wrote within 24 hours. */
  resolved: countSchema,
  /** `resolved` of those that have ended, whole percent; 0 before the first. */
  automationRate: percentSchema,
  deletedAt: timeSchema.optional(),
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
  query: z.object({ ...pageQueryFields, status: z.enum(botStatuses).optional() }),
  status: 200,
  response: pageOf(botSummarySchema),
  errors: [],
})
