import { cellsConfigShape } from '@parley/service-kit/core/cells'
import { baseConfigShape, httpUrlSchema, mongodbConfigShape, originSchema } from '@parley/service-kit/core/config'
import { signingConfigShape, trustConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { redisUrlSchema } from '@parley/service-kit/core/redis-address'
import { workerConfigShape } from '@parley/service-kit/queue/run-worker'
import { z } from 'zod'
import { cellStoresSchema } from './modules/moves/cell-stores.ts'

const shape = {
  ...mongodbConfigShape,
  ...signingConfigShape,
  MESSAGING_URL: httpUrlSchema.describe('Base URL of the messaging service.'),
  ...cellsConfigShape,
}

/** Settings of the server. */
export const configSchema = z.object({
  ...baseConfigShape,
  ...shape,
  REDIS_URL: redisUrlSchema.describe('Redis, for the cache of users, changed memberships and the queues.'),
  ...trustConfigShape,
})

/** Settings of the command that moves a workspace to another cell. */
export const moveConfigSchema = configSchema
  .pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true, REDIS_URL: true, CELLS: true })
  .extend({ CELL_STORES: cellStoresSchema })

/** Setting of what seals the audit log, or checks it. */
export const auditConfigShape = {
  AUDIT_KEYS: keyRingSchema.describe(
    'Keys of the audit log, `name:base64`, comma-separated: the first seals, all verify. Whoever has one can forge entries.',
  ),
}

/** Settings of the worker; HOST and PORT are those of its health, readiness and metrics. */
export const workerConfigSchema = z.object({
  ...workerConfigShape,
  ...shape,
  ...auditConfigShape,
  PUBLIC_ORIGIN: originSchema.describe('Origin under which browsers open the app: links in mails lead there.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' })
    .describe('Mail server: smtp://host:port, or smtps://user:password@host:port.'),
  MAIL_FROM: z.email('must be an e-mail address').describe('Sender of mails.'),
})
