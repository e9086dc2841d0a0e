import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { botSettingsSchema } from './bot-settings.ts'
import { botList, botNameSchema, botSummarySchema, versionSchema } from './bot-summary.ts'
import { draftFlowSchema } from './flow.ts'
import { runSchema } from './run-endpoints.ts'

/** Bytes of a request that carries a flow: 200 nodes with their texts. */
const flowBodyBytes = 640 * 1024

export const botRecordSchema = botSummarySchema.extend({ draft: draftFlowSchema, settings: botSettingsSchema })
export type BotRecord = z.infer<typeof botRecordSchema>

/** Problem of a flow: `critical` refuses publication, each `warning` has to be accepted. */
const publishProblemSchema = z.object({
  code: z.string().max(60),
  severity: z.enum(['critical', 'warning']),
  /** Node that has it; absent: the flow as a whole. */
  nodeId: idSchema.optional(),
  sentence: z.string().max(500),
  /** The bot that has the keyword already. */
  owner: z.object({ id: idSchema, name: z.string().max(80) }).optional(),
})
export type PublishProblem = z.infer<typeof publishProblemSchema>

/** Choices for sessions of older versions when one is published: they finish, move over, or end and go to people. */
export const runningChoices = ['finish', 'move', 'end'] as const

const checkSchema = z.object({
  problems: z.array(publishProblemSchema).max(500),
  /** Sessions that run on older versions, and of these those that could move over. */
  running: countSchema,
  movable: countSchema,
})
export type FlowCheck = z.infer<typeof checkSchema>

const versionRecordSchema = z.object({
  number: versionSchema,
  publishedAt: timeSchema,
  /** User id. */
  publishedBy: idSchema,
  note: z.string().max(500).optional(),
  running: countSchema,
})
export type BotVersion = z.infer<typeof versionRecordSchema>

export const botsApi = {
  list: botList,
  read: defineEndpoint({
    operation: 'bots.read',
    method: 'GET',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:read',
    summary: 'One bot with the flow that is being edited, and its settings.',
    params: byId,
    status: 200,
    response: botRecordSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'bots.create',
    method: 'POST',
    path: '/api/bots',
    access: 'session',
    permission: 'bots:write',
    summary: 'Creates a paused bot. At most 100 in a workspace.',
    body: z.object({ name: botNameSchema, draft: draftFlowSchema.optional() }),
    bodyLimitBytes: flowBodyBytes,
    status: 201,
    response: botRecordSchema,
    errors: ['limit_reached', 'invalid_flow'],
  }),
  duplicate: defineEndpoint({
    operation: 'bots.duplicate',
    method: 'POST',
    path: '/api/bots/:id/duplicate',
    access: 'session',
    permission: 'bots:write',
    summary: 'Creates a paused copy with the draft and the settings of a bot.',
    params: byId,
    body: z.object({ name: botNameSchema.optional() }),
    status: 201,
    response: botRecordSchema,
    errors: ['not_found', 'limit_reached'],
  }),
  update: defineEndpoint({
    operation: 'bots.update',
    method: 'PATCH',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:write',
    summary: 'Saves name, numbers, settings or the draft. What runs is changed by publishing only.',
    params: byId,
    body: z.object({
      name: botNameSchema.optional(),
      numberIds: botSummarySchema.shape.numberIds.optional(),
      settings: botSettingsSchema.partial().optional(),
      draft: draftFlowSchema.optional(),
      version: versionSchema,
    }),
    bodyLimitBytes: flowBodyBytes,
    status: 200,
    response: botRecordSchema,
    errors: ['not_found', 'stale_version', 'invalid_flow', 'keyword_taken'],
  }),
  check: defineEndpoint({
    operation: 'bots.check',
    method: 'POST',
    path: '/api/bots/:id/check',
    access: 'session',
    permission: 'bots:read',
    audit: 'none',
    summary: 'Problems of the draft by severity, and the sessions that publishing would touch.',
    params: byId,
    body: z.object({ draft: draftFlowSchema.optional() }),
    bodyLimitBytes: flowBodyBytes,
    repeatable: true,
    status: 200,
    response: checkSchema,
    errors: ['not_found', 'invalid_flow'],
  }),
  publish: defineEndpoint({
    operation: 'bots.publish',
    method: 'POST',
    path: '/api/bots/:id/publish',
    access: 'session',
    permission: 'bots:publish',
    summary: 'Publishes the draft as a new version, with all checks; with `start` the bot runs from then on.',
    params: byId,
    body: z.object({
      running: z.enum(runningChoices).default('finish'),
      /** Codes of the warnings that the person has read, with their nodes: `code` or `code:nodeId`. */
      accept: z.array(z.string().max(130)).max(500).default([]),
      note: z.string().trim().max(500).optional(),
      start: z.boolean().optional(),
      version: versionSchema,
    }),
    status: 200,
    response: z.object({ bot: botRecordSchema, number: versionSchema, moved: countSchema, ended: countSchema }),
    errors: ['not_found', 'stale_version', 'invalid_flow', 'warnings_open', 'keyword_taken'],
  }),
  start: defineEndpoint({
    operation: 'bots.start',
    method: 'POST',
    path: '/api/bots/:id/start',
    access: 'session',
    permission: 'bots:publish',
    summary: 'Starts a published bot: new sessions begin.',
    params: byId,
    status: 200,
    response: botRecordSchema,
    errors: ['not_found', 'not_published', 'keyword_taken'],
  }),
  pause: defineEndpoint({
    operation: 'bots.pause',
    method: 'POST',
    path: '/api/bots/:id/pause',
    access: 'session',
    permission: 'bots:publish',
    summary: 'Pauses a bot: no new session begins. Running ones finish, or end and go to people.',
    params: byId,
    body: z.object({ running: z.enum(['finish', 'end']).default('finish') }),
    status: 200,
    response: botRecordSchema,
    errors: ['not_found'],
  }),
  remove: defineEndpoint({
    operation: 'bots.remove',
    method: 'DELETE',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:write',
    summary: 'Deletes a bot; its sessions end and go to people. It can be restored for 30 days.',
    params: byId,
    status: 204,
    errors: ['not_found', 'in_use'],
  }),
  restore: defineEndpoint({
    operation: 'bots.restore',
    method: 'POST',
    path: '/api/bots/:id/restore',
    access: 'session',
    permission: 'bots:write',
    summary: 'Restores a deleted bot, paused.',
    params: byId,
    status: 200,
    response: botRecordSchema,
    errors: ['not_found', 'limit_reached'],
  }),
  versions: defineEndpoint({
    operation: 'bots.versions',
    method: 'GET',
    path: '/api/bots/:id/versions',
    access: 'session',
    permission: 'bots:read',
    summary: 'Published versions, the newest first.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(versionRecordSchema),
    errors: ['not_found'],
  }),
  version: defineEndpoint({
    operation: 'bots.version',
    method: 'GET',
    path: '/api/bots/:id/versions/:number',
    access: 'session',
    permission: 'bots:read',
    summary: 'One published version with its flow.',
    params: byId.extend({ number: z.coerce.number().int().positive() }),
    status: 200,
    response: versionRecordSchema.extend({ flow: draftFlowSchema }),
    errors: ['not_found'],
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
    errors: ['not_found', 'not_published', 'conversation_taken', 'wrong_state'],
  }),
}
