import { createInternalTokenVerifier, readTrustedIssuers } from '@parley/service-kit/core/internal-token'
import { runProcess } from '@parley/service-kit/core/run-process'
import { stopServiceApp } from '@parley/service-kit/http/base-app'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'

await runProcess({
  name: 'identity',
  schema: configSchema,
  start: async (config, logger) => {
    const issuers = readTrustedIssuers(config.INTERNAL_ISSUERS)
    const verifyToken = createInternalTokenVerifier({ audience: 'identity', issuers })
    const app = await buildApp({ config, logger, verifyToken })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
    }
  },
})
