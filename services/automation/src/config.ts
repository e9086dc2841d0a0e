import { cellConfigShape } from '@parley/service-kit/core/cells'
import { baseConfigShape, httpUrlSchema, mongodbConfigShape } from '@parley/service-kit/core/config'
import { signingConfigShape, trustConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { redisUrlSchema } from '@parley/service-kit/core/redis-address'
import { z } from 'zod'

const shape = {
  ...baseConfigShape,
  ...mongodbConfigShape,
  REDIS_URL: redisUrlSchema.describe('Redis, for the queues and the streams of events.'),
  SECRET_KEYS: keyRingSchema.describe(
    'Keys that seal the secrets of connections and sign the cursors of lists: name:base64 pairs, apart from those of messaging.',
  ),
  CONNECTION_ALLOW_PRIVATE: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether calls of bots and workflows may also go to this machine, by http as well: for development, and refused with NODE_ENV=production.',
    ),
  ...signingConfigShape,
  MESSAGING_URL: httpUrlSchema.describe('Base URL of the messaging service.'),
  PROFILE_URL: httpUrlSchema.describe('Base URL of the profile service.'),
  ...cellConfigShape,
}

/** Settings of the server. */
export const configSchema = z.object({ ...shape, ...trustConfigShape })

/** Settings of the worker; HOST and PORT are those of its health, readiness and metrics. */
export const workerConfigSchema = z.object(shape)

/** Configuration of both processes. */
export type AutomationConfig = z.infer<typeof workerConfigSchema>
