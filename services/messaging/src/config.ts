import { baseConfigShape, originSchema } from '@parley/service-kit/core/config'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { workerConfigShape } from '@parley/service-kit/queue/run-worker'
import { z } from 'zod'

const shared = {
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[\w-]+/, 'must be a mongodb URL that names a database')
    .describe('MongoDB, with the database name.'),
  SECRET_KEYS: keyRingSchema.describe('Keys that encrypt access tokens and app secrets: name:base64 pairs.'),
  HOOKS_PUBLIC_URL: originSchema.describe('Origin at which WhatsApp reaches the ingest process.'),
}

/** Settings of the worker. */
export const workerConfigSchema = z.object({ ...workerConfigShape, ...shared })

/** Settings of the ingest process: HOST and PORT are those that WhatsApp's webhooks reach. */
export const ingestConfigSchema = z.object({
  ...baseConfigShape,
  ...shared,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis URL' }).describe('Redis, for the queues.'),
})
