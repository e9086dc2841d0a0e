import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema } from '../core/records.ts'
import { botSettingsSchema } from './bot-settings.ts'
import { botList, botSummarySchema } from './bot-summary.ts'
import { draftFlowSchema } from './flow.ts'
import { flowEndpoints } from './flow-endpoints.ts'
import { flowNameSchema, versionSchema } from './flow-summary.ts'
import { flowTestEndpoints } from './flow-tests.ts'
import { replayEndpoints } from './replays.ts'
import { runSchema } from './runs.ts'

export const botRecordSchema = botSummarySchema.extend({ draft: draftFlowSchema, settings: botSettingsSchema })
export type BotRecord = z.infer<typeof botRecordSchema>

export const botsApi = {
  list: botList,
  ...flowTestEndpoints('bot'),
  ...replayEndpoints('bot'),
  ...flowEndpoints({
    kind: 'bot',
    record: botRecordSchema,
    change: z.object({
      name: flowNameSchema.optional(),
      numberIds: botSummarySchema.shape.numberIds.optional(),
      settings: botSettingsSchema.partial().optional(),
      draft: draftFlowSchema.optional(),
      version: versionSchema,
    }),
    published: z.object({ bot: botRecordSchema, number: versionSchema, moved: countSchema, ended: countSchema }),
  }),
  startSession: defineEndpoint({
    operation: 'bots.startSession',
    method: 'POST',
    path: '/api/bots/:id/sessions',
    access: 'session',
    permission: 'conversations:assign',
    summary: 'Gives a conversation to a bot: a new session begins at its `handed_over` trigger, or at its first.',
    params: byId,
    body: z.object({ conversationId: idSchema }),
    status: 201,
    response: runSchema,
    errors: ['not_found', 'not_published', 'conversation_taken', 'wrong_state', 'limit_reached'],
  }),
}
