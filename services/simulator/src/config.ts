import { baseConfigShape } from '@parley/service-kit/core/config'
import { z } from 'zod'

/** Every setting of the simulator. */
export const configSchema = z.object({
  ...baseConfigShape,
  SIMULATOR_DATA: z
    .string()
    .optional()
    .describe('Folder that keeps what the simulator knows; nothing outlives the process without.'),
  SIMULATOR_SEED: z.string().max(64).default('parley').describe('The same seed gives the same ids and delays.'),
  SIMULATOR_ALLOWED_IN_PRODUCTION: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('The simulator refuses NODE_ENV=production unless this says yes: a demo, a load test.'),
})
