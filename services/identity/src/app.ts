import { keepReaching } from '@parley/service-kit/core/keep-reaching'
import type { Logger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { measureProvider } from '@parley/service-kit/core/provider-metrics'
import type { VerifyToken } from '@parley/service-kit/http/authority'
import { loadModules } from '@parley/service-kit/http/load-modules'
import { createServiceApp } from '@parley/service-kit/http/service-app'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { createServices } from './services.ts'

/** Creates the identity service's HTTP server, ready to listen. It tries to reach the provider from now on, until that answers. */
export async function buildApp(deps: {
  config: Config
  logger: Logger
  verifyToken: VerifyToken
}): Promise<FastifyInstance> {
  const { logger } = deps
  const metrics = createMetrics('identity')
  const { provider, ...services } = createServices(deps.config, measureProvider(metrics))
  const reaching = keepReaching({ part: 'identityProvider', logger, attempt: provider.answers })
  const app = await createServiceApp({
    name: 'identity',
    logger,
    metrics,
    verifyToken: deps.verifyToken,
    probes: [{ name: 'identityProvider', required: true, check: provider.answers, retry: reaching.retry }],
    modules: (scope) => loadModules(scope, { directory: import.meta.dirname, options: { services } }),
  })
  app.addHook('onClose', async () => reaching.stop())
  return app
}
