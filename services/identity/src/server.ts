import { createInternalTokenVerifier } from '@parley/service-kit/core/internal-token'
import { createKeySet } from '@parley/service-kit/core/jwks'
import { runProcess } from '@parley/service-kit/core/run-process'
import { stopServiceApp } from '@parley/service-kit/http/service-app'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'

await runProcess({
  name: 'identity',
  schema: configSchema,
  start: async (config, logger) => {
    const keys = createKeySet(config.INTERNAL_JWKS_URL)
    const verifyToken = createInternalTokenVerifier({ audience: 'identity', getKey: keys.getKey })
    const app = await buildApp({ config, logger, verifyToken })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
    }
  },
})
