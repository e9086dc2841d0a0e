import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { redisAnswers, redisRetry } from '@parley/service-kit/core/redis'
import { createAuditLog } from '@parley/service-kit/data/audit-log'
import { createIdempotencyStore } from '@parley/service-kit/data/idempotency-store'
import { watchWrites } from '@parley/service-kit/data/mongo'
import type { Database } from '@parley/service-kit/data/open-database'
import type { VerifyToken } from '@parley/service-kit/http/authority'
import { loadModules } from '@parley/service-kit/http/load-modules'
import { createServiceApp } from '@parley/service-kit/http/service-app'
import type { FastifyInstance } from 'fastify'
import { createServices, type Dependencies } from './services.ts'

/** The profile service's HTTP server, ready to listen; its features answer 503 until the database is open. */
export function buildApp({
  verifyToken,
  publicKeys,
  database,
  ...deps
}: Omit<Dependencies, 'mongo'> & {
  verifyToken: VerifyToken
  publicKeys: InternalTokenSigner['publicKeys']
  database: Database
}): Promise<FastifyInstance> {
  const { metrics } = deps
  const services = createServices({ ...deps, mongo: database.connection })
  const writes = watchWrites(database.connection)
  return createServiceApp({
    name: 'profile',
    logger: deps.logger,
    metrics,
    verifyToken,
    publicKeys,
    idempotency: createIdempotencyStore(database.connection),
    audit: createAuditLog(database.connection),
    isOpen: database.isOpen,
    probes: [
      {
        name: 'mongodb',
        required: true,
        check: async () => database.isOpen() && writes.answers(),
        retry: database.retry,
      },
      {
        name: 'redis',
        required: false,
        check: () => redisAnswers(deps.redis),
        retry: () => redisRetry(deps.redis),
      },
    ],
    translateError: writes.translateError,
    modules: (scope) => loadModules(scope, { directory: import.meta.dirname, options: { services } }),
  })
}
