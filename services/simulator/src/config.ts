import { baseConfigShape, originSchema } from '@parley/service-kit/core/config'
import { z } from 'zod'

const metaHosts = /(^|\.)(facebook\.com|fbsbx\.com|whatsapp\.com|whatsapp\.net)$/

/**
 * Address at which the product looks for the simulator: an environment in which that is Meta itself would send to real people.
 */
const productSchema = originSchema
  .refine((url) => !metaHosts.test(new URL(url).hostname), { error: 'is a host of Meta, not a simulator' })
  .optional()

/** Every setting of the simulator. */
export const configSchema = z.object({
  ...baseConfigShape,
  SIMULATOR_DATA: z
    .string()
    .optional()
    .describe('Folder that keeps what the simulator knows; nothing outlives the process without.'),
  SIMULATOR_SEED: z.string().max(64).default('parley').describe('The same seed gives the same ids and delays.'),
  SIMULATOR_URL: productSchema.describe(
    'What messaging is told, where both share an environment: with a host of Meta the simulator does not start.',
  ),
  SIMULATOR_ALLOWED_IN_PRODUCTION: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('The simulator refuses NODE_ENV=production unless this says yes: a demo, a load test.'),
})
