import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, listOf, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { jobSchema } from './jobs.ts'
import { envelopeSchema, webhookEvents } from './public-events.ts'
import {
  deliveryDetailSchema,
  deliveryStates,
  newWebhookSchema,
  overlapHours,
  replayRangeSchema,
  typedSecretSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookStatuses,
  webhookWithKeySchema,
} from './webhooks.ts'

const byDelivery = z.object({ id: idSchema, deliveryId: idSchema })
const seenVersionSchema = z
  .number()
  .int()
  .positive()
  .describe('`version` of the webhook as you have read it: a change by someone else meanwhile is 409.')
const byJob = z.object({ id: idSchema, jobId: idSchema })

export const webhooksApi = {
  list: defineEndpoint({
    operation: 'webhooks.list',
    method: 'GET',
    path: '/api/webhooks',
    access: 'session',
    v1: true,
    permission: 'webhooks:read',
    summary: 'Outbound webhooks, the oldest first.',
    tool: 'To see where events are sent, and whether a receiver fails.',
    query: z.object({ ...pageQueryFields, status: z.enum(webhookStatuses).optional() }),
    status: 200,
    response: pageOf(webhookSchema),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'webhooks.read',
    method: 'GET',
    path: '/api/webhooks/:id',
    access: 'session',
    v1: true,
    permission: 'webhooks:read',
    summary: 'One outbound webhook.',
    params: byId,
    status: 200,
    response: webhookSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'webhooks.create',
    method: 'POST',
    path: '/api/webhooks',
    access: 'session',
    v1: true,
    permission: 'webhooks:write',
    summary: 'Subscribes an address to events. The answer shows the signing key, this once.',
    body: newWebhookSchema,
    secretAnswer: true,
    status: 201,
    response: webhookWithKeySchema,
    errors: ['webhook_exists', 'webhook_target_refused', 'limit_reached'],
  }),
  update: defineEndpoint({
    operation: 'webhooks.update',
    method: 'PATCH',
    path: '/api/webhooks/:id',
    access: 'session',
    v1: true,
    permission: 'webhooks:write',
    summary: 'Changes what is named of a webhook.',
    params: byId,
    body: newWebhookSchema.omit({ secret: true }).partial().extend({ version: seenVersionSchema }),
    status: 200,
    response: webhookSchema,
    errors: ['not_found', 'webhook_exists', 'webhook_target_refused', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'webhooks.remove',
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: 'session',
    v1: true,
    permission: 'webhooks:write',
    summary: 'Deletes a webhook with its delivery log.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
  enable: defineEndpoint({
    operation: 'webhooks.enable',
    method: 'POST',
    path: '/api/webhooks/:id/enable',
    access: 'session',
    v1: true,
    permission: 'webhooks:write',
    summary: 'Makes a failed or disabled webhook active: what waits is sent at once.',
    params: byId,
    status: 200,
    response: webhookSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  test: defineEndpoint({
    operation: 'webhooks.test',
    method: 'POST',
    path: '/api/webhooks/:id/test',
    access: 'session',
    v1: true,
    permission: 'webhooks:write',
    summary: 'Sends a sample event with `test: true`. Its delivery is in the log.',
    params: byId,
    body: z.object({ type: z.enum(webhookEvents) }),
    status: 201,
    response: webhookDeliverySchema,
    errors: ['not_found', 'wrong_state'],
  }),
  rotateSecret: defineEndpoint({
    operation: 'webhooks.rotateSecret',
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    access: 'session',
    v1: true,
    permission: 'webhooks:secret',
    summary:
      'Replaces the signing key; the one before signs as well for these hours. The answer shows the new one, this once.',
    params: byId,
    body: z.object({
      overlapHours: z.literal(overlapHours).describe('Hours for which the key before signs as well.'),
      secret: typedSecretSchema.optional(),
    }),
    secretAnswer: true,
    status: 200,
    response: webhookWithKeySchema,
    errors: ['not_found', 'wrong_state'],
  }),
  deliveries: defineEndpoint({
    operation: 'webhooks.deliveries',
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    access: 'session',
    v1: true,
    permission: 'webhooks:read',
    summary: 'The delivery log, the newest first: those that succeeded for 7 days, others for 30.',
    tool: 'To find out which events a receiver has missed.',
    params: byId,
    query: z.object({
      limit: pageQueryFields.limit,
      cursor: pageQueryFields.cursor,
      state: listOf(z.enum(deliveryStates)),
      type: z.enum(webhookEvents).optional(),
      since: timeSchema.optional(),
      until: timeSchema.optional(),
    }),
    status: 200,
    response: pageOf(webhookDeliverySchema),
    errors: ['not_found'],
  }),
  delivery: defineEndpoint({
    operation: 'webhooks.delivery',
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:deliveryId',
    access: 'session',
    v1: true,
    permission: 'webhooks:read',
    summary: 'One delivery with its attempts, and its body as it would be sent now.',
    params: byDelivery,
    status: 200,
    response: deliveryDetailSchema,
    errors: ['not_found'],
  }),
  replay: defineEndpoint({
    operation: 'webhooks.replay',
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/replay',
    access: 'session',
    v1: true,
    permission: 'webhooks:replay',
    summary: 'Sends an event once more, under its own id.',
    tool: 'To send one missed event again.',
    params: byDelivery,
    status: 200,
    response: webhookDeliverySchema,
    errors: ['not_found', 'wrong_state'],
  }),
  replayRange: defineEndpoint({
    operation: 'webhooks.replayRange',
    method: 'POST',
    path: '/api/webhooks/:id/replay',
    access: 'session',
    v1: true,
    permission: 'webhooks:replay',
    summary:
      'Sends the events of up to 30 days once more, behind those of now, as a job: its progress is at `replays/{jobId}`.',
    params: byId,
    body: replayRangeSchema,
    status: 201,
    response: jobSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  replayJob: defineEndpoint({
    operation: 'webhooks.replayJob',
    method: 'GET',
    path: '/api/webhooks/:id/replays/:jobId',
    access: 'session',
    v1: true,
    permission: 'webhooks:read',
    summary: 'How far a replay has come.',
    params: byJob,
    status: 200,
    response: jobSchema,
    errors: ['not_found'],
  }),
  cancelReplay: defineEndpoint({
    operation: 'webhooks.cancelReplay',
    method: 'POST',
    path: '/api/webhooks/:id/replays/:jobId/cancel',
    access: 'session',
    v1: true,
    permission: 'webhooks:replay',
    summary: 'Stops a replay; what is queued already is sent.',
    params: byJob,
    status: 200,
    response: jobSchema,
    errors: ['not_found', 'wrong_state'],
  }),
}

/** Longest time that the feed waits for an event. */
const maxWaitSeconds = 25

export const eventFeedApi = {
  list: defineEndpoint({
    operation: 'events.list',
    method: 'GET',
    path: '/v1/events',
    waits: true,
    access: 'key',
    permission: 'events:read',
    summary:
      'Every event of the workspace in order, whether a webhook exists or not, for 30 days where the feed is read or a webhook exists; what a first call finds is a few days long.',
    tool: 'To see what has happened in the workspace, newest events with `after=latest` and a `wait`.',
    query: z.object({
      after: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe(
          '`nextCursor` of the page before, or `latest` to begin now. Absent: from the oldest event that is kept.',
        ),
      types: listOf(z.enum(webhookEvents)).describe('Kinds of events, separated by commas; all where absent.'),
      limit: z.coerce.number().int().min(1).max(500).optional().describe('At most this many events; 100 where absent.'),
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(maxWaitSeconds)
        .optional()
        .describe('Seconds to wait for an event where none is there yet. A key may wait in two calls at once.'),
    }),
    status: 200,
    response: z.object({
      items: z.array(envelopeSchema).max(1500),
      /** Cursor of the next page, also where this one is empty. */
      nextCursor: z.string().max(200),
      hasMore: z.boolean(),
    }),
    errors: ['cursor_expired', 'rate_limited'],
  }),
}
