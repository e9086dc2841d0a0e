import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { redisAnswers, redisRetry } from '@parley/service-kit/core/redis'
import { createAuditLog } from '@parley/service-kit/data/audit-log'
import { createIdempotencyStore } from '@parley/service-kit/data/idempotency-store'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import type { VerifyToken } from '@parley/service-kit/http/authority'
import { loadModules } from '@parley/service-kit/http/load-modules'
import { createServiceApp } from '@parley/service-kit/http/service-app'
import { createWorkspaceLimit } from '@parley/service-kit/http/workspace-limit'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import type { Automation } from './open-automation.ts'
import type { Services } from './services.ts'

/** Requests of one workspace: far above what people do by hand, and low enough to stop a loop. */
const workspaceLimit = { requests: 1000, seconds: 10 }

/** Options of every `*.routes.ts`. */
export interface FeatureOptions {
  readonly services: Services
}

/** The automation service's HTTP server, ready to listen; its features answer 503 until the database is open. */
export function buildApp(options: {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly verifyToken: VerifyToken
  readonly automation: Automation
  readonly redis: Redis
}): Promise<FastifyInstance> {
  const { logger, metrics, verifyToken, redis, automation } = options
  const { database, services, probe, publicKeys, translateError } = automation
  const forFeatures: FeatureOptions = { services }
  return createServiceApp({
    name: 'automation',
    logger,
    metrics,
    verifyToken,
    publicKeys,
    idempotency: createIdempotencyStore(database.connection),
    audit: createAuditLog(database.connection),
    limitWorkspace: createWorkspaceLimit({ redis, service: 'automation', ...workspaceLimit }),
    gate: moveGateOf(database.connection),
    isOpen: database.isOpen,
    probes: [
      probe,
      { name: 'redis', required: false, check: () => redisAnswers(redis), retry: () => redisRetry(redis) },
    ],
    translateError,
    modules: (scope) => loadModules(scope, { directory: import.meta.dirname, options: { ...forFeatures } }),
  })
}
