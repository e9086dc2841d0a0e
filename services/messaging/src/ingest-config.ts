import { baseConfigShape, mongodbConfigShape, originSchema } from '@parley/service-kit/core/config'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { redisUrlSchema } from '@parley/service-kit/core/redis-address'
import { z } from 'zod'

/** Settings of every process of this service. */
export const sharedConfigShape = {
  ...baseConfigShape,
  ...mongodbConfigShape,
  REDIS_URL: redisUrlSchema.describe('Redis, for the queues and the streams of events.'),
  SECRET_KEYS: keyRingSchema.describe('Keys that encrypt access tokens and app secrets: name:base64 pairs.'),
  HOOKS_PUBLIC_URL: originSchema.describe('Origin at which WhatsApp reaches the ingest process.'),
  LINKS_PUBLIC_URL: originSchema
    .optional()
    .describe(
      'Origin at which customers reach the ingest process: they see it in counted links. Visits cannot be counted without.',
    ),
  PLAN_LIMITS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether workspaces are held to what their plan allows, for whoever sells plans: `set-plan.ts` sets them, see BILLING.',
    ),
  STORAGE_LIMIT_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .default(10_240)
    .describe(
      'Size of all files of one workspace from which on its members upload no more; those of customers are taken.',
    ),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether outbound webhooks, and the files of campaigns’ recipients, may also be on this machine, by http as well: for development, and refused with NODE_ENV=production.',
    ),
  BILLING: z
    .enum(['open', 'off'])
    .default('off')
    .describe('Whether owners choose their plan in the app, where nothing is charged; `off`: an operator sets it.'),
}

/** Settings of the ingest process; HOST and PORT are those that WhatsApp's webhooks reach. */
export const ingestConfigSchema = z.object({
  ...sharedConfigShape,
  MANAGEMENT_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .describe('Port of /metrics, which nobody reaches from outside.'),
  TRUST_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0).describe('Proxies in front, for the client IP.'),
})
