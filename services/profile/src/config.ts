import { baseConfigShape } from '@parley/service-kit/core/config'
import { trustConfigShape } from '@parley/service-kit/core/internal-token'
import { z } from 'zod'

export const configSchema = z.object({
  ...baseConfigShape,
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[\w-]+/, 'must be a mongodb URL that names a database')
    .describe('MongoDB, with the database name.'),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis URL' }).describe('Redis, for the cache of users.'),
  ...trustConfigShape,
})
