import { createMetrics } from '@parley/service-kit/core/metrics'
import { redisAnswers } from '@parley/service-kit/core/redis'
import { mongoAnswers, translateMongoError } from '@parley/service-kit/data/mongo'
import type { VerifyToken } from '@parley/service-kit/http/authority'
import { loadFeatures } from '@parley/service-kit/http/load-features'
import { createServiceApp } from '@parley/service-kit/http/service-app'
import type { FastifyInstance } from 'fastify'
import { createServices, type Dependencies } from './services.ts'

/** The profile service's HTTP server, ready to listen. */
export function buildApp({
  verifyToken,
  ...deps
}: Omit<Dependencies, 'metrics'> & { verifyToken: VerifyToken }): Promise<FastifyInstance> {
  const metrics = createMetrics('profile')
  const services = createServices({ ...deps, metrics })
  return createServiceApp({
    name: 'profile',
    logger: deps.logger,
    metrics,
    verifyToken,
    probes: [
      { name: 'mongodb', required: true, check: () => mongoAnswers(deps.mongo) },
      { name: 'redis', required: false, check: () => redisAnswers(deps.redis) },
    ],
    translateError: translateMongoError,
    features: (scope) => loadFeatures(scope, { directory: import.meta.dirname, options: { services } }),
  })
}
