import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, percentSchema, storedFields } from '../core/records.ts'
import { draftFlowSchema } from './flow.ts'

export const botStatuses = ['active', 'paused'] as const

const botNameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')

export const botSchema = z.object({
  ...storedFields,
  name: botNameSchema,
  status: z.enum(botStatuses),
  numberIds: z.array(idSchema).max(50),
  /** Flow that the builder edits. */
  draft: draftFlowSchema,
  /** Version of the flow that runs; absent before the first save. */
  publishedVersion: z.number().int().positive().optional(),
  conversations: countSchema,
  /** Conversations that ended without a person, of all it took. */
  resolved: countSchema,
  automationRate: percentSchema,
})
export type Bot = z.infer<typeof botSchema>

export const botsApi = {
  list: defineEndpoint({
    operation: 'bots.list',
    method: 'GET',
    path: '/api/bots',
    access: 'session',
    permission: 'bots:read',
    summary: 'Bots, by name.',
    query: z.object({ ...pageQueryFields, status: z.enum(botStatuses).optional() }),
    status: 200,
    response: pageOf(botSchema),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'bots.read',
    method: 'GET',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:read',
    summary: 'One bot with its flow.',
    params: byId,
    status: 200,
    response: botSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'bots.create',
    method: 'POST',
    path: '/api/bots',
    access: 'session',
    permission: 'bots:write',
    summary: 'Creates a paused bot.',
    body: z.object({ name: botNameSchema, draft: draftFlowSchema.optional() }),
    status: 201,
    response: botSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'bots.update',
    method: 'PATCH',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:write',
    summary: 'Renames a bot, saves its flow, pauses or starts it.',
    params: byId,
    body: z.object({
      name: botNameSchema.optional(),
      status: z.enum(botStatuses).optional(),
      draft: draftFlowSchema.optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: botSchema,
    errors: ['not_found', 'stale_version', 'invalid_flow'],
  }),
  remove: defineEndpoint({
    operation: 'bots.remove',
    method: 'DELETE',
    path: '/api/bots/:id',
    access: 'session',
    permission: 'bots:write',
    summary: 'Deletes a bot. It can be restored for 30 days.',
    params: byId,
    status: 204,
    errors: ['not_found'],
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
    response: botSchema,
    errors: ['not_found'],
  }),
}
