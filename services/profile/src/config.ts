import { baseConfigShape, mongodbUrlSchema } from '@parley/service-kit/core/config'
import { trustConfigShape } from '@parley/service-kit/core/internal-token'
import { z } from 'zod'

export const configSchema = z.object({
  ...baseConfigShape,
  MONGODB_URL: mongodbUrlSchema,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis URL' }).describe('Redis, for the cache of users.'),
  ...trustConfigShape,
})
