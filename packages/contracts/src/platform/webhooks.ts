import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  byId,
  countSchema,
  pageOf,
  pageQueryFields,
  percentSchema,
  secretSchema,
  storedFields,
  timeSchema,
} from '../core/records.ts'
import { webhookEvents } from './public-events.ts'

const webhookStatuses = ['active', 'failed', 'disabled'] as const

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** https, or http to this machine while developing. */
const webhookUrlSchema = z
  // A text that is not an address has no protocol to check.
  .url({ error: 'Enter a web address that begins with https://', abort: true })
  .max(2000)
  .refine(
    (value) => {
      const { protocol, hostname } = new URL(value)
      return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
    },
    { error: 'The address must begin with https://' },
  )

export const newWebhookSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters'),
  url: webhookUrlSchema,
  events: z.array(z.enum(webhookEvents)).min(1, 'Choose at least one event'),
  /** Key of the HMAC-SHA256 signature that every delivery then carries. */
  secret: z
    .union([z.literal(''), z.string().min(16, 'At least 16 characters').max(256, 'At most 256 characters')])
    .optional(),
})
export type NewWebhook = z.infer<typeof newWebhookSchema>

export const webhookSchema = z.object({
  ...storedFields,
  ...newWebhookSchema.omit({ secret: true }).shape,
  status: z.enum(webhookStatuses),
  secret: secretSchema,
  lastTriggeredAt: timeSchema.nullable(),
  totalCalls: countSchema,
  successRate: percentSchema,
})
export type Webhook = z.infer<typeof webhookSchema>

export const webhooksApi = {
  list: defineEndpoint({
    operation: 'webhooks.list',
    method: 'GET',
    path: '/api/webhooks',
    access: 'session',
    permission: 'webhooks:read',
    summary: 'Outbound webhooks.',
    query: z.object({ ...pageQueryFields, status: z.enum(webhookStatuses).optional() }),
    status: 200,
    response: pageOf(webhookSchema),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'webhooks.create',
    method: 'POST',
    path: '/api/webhooks',
    access: 'session',
    permission: 'webhooks:write',
    summary: 'Subscribes a URL to events.',
    body: newWebhookSchema,
    status: 201,
    response: webhookSchema,
    errors: ['webhook_exists'],
  }),
  update: defineEndpoint({
    operation: 'webhooks.update',
    method: 'PATCH',
    path: '/api/webhooks/:id',
    access: 'session',
    permission: 'webhooks:write',
    summary: 'Changes a webhook; an empty secret removes the signature, an absent one leaves it unchanged.',
    params: byId,
    body: newWebhookSchema.extend({ version: z.number().int().positive() }),
    status: 200,
    response: webhookSchema,
    errors: ['not_found', 'webhook_exists', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'webhooks.remove',
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: 'session',
    permission: 'webhooks:write',
    summary: 'Deletes a webhook with its delivery log.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}
