import { baseConfigShape, mongodbUrlSchema, originSchema } from '@parley/service-kit/core/config'
import { trustConfigShape } from '@parley/service-kit/core/internal-token'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { z } from 'zod'

const shape = {
  ...baseConfigShape,
  MONGODB_URL: mongodbUrlSchema,
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis URL' })
    .describe('Redis, for the queues and the streams of events.'),
  SECRET_KEYS: keyRingSchema.describe('Keys that encrypt access tokens and app secrets: name:base64 pairs.'),
  HOOKS_PUBLIC_URL: originSchema.describe('Origin at which WhatsApp reaches the ingest process.'),
  PLAN_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether campaigns keep to the credits of their plan; off for load tests.'),
}

/** Settings of the server. */
export const configSchema = z.object({
  ...shape,
  ...trustConfigShape,
  SAMPLE_DATA: z.enum(['on', 'off']).default('off').describe('Whether a new workspace begins with the sample data.'),
  SIMULATOR_URL: originSchema
    .optional()
    .describe('Origin at which this service reaches the simulator; simulated numbers are not offered without.'),
  SIMULATOR_PUBLIC_URL: originSchema
    .optional()
    .describe('Origin at which browsers open the page of phones, where that is another.'),
})

/** Settings of the worker; HOST and PORT are those of its health, readiness and metrics. */
export const workerConfigSchema = z.object(shape)

/** Settings of the ingest process; HOST and PORT are those that WhatsApp's webhooks reach. */
export const ingestConfigSchema = z.object(shape)

/** What every process of this service has. */
export type MessagingConfig = z.infer<typeof ingestConfigSchema>
