import { once } from 'node:events'
import { runProcess } from '@parley/service-kit/core/run-process'
import { createIdentityProvider } from './app.ts'
import { configSchema } from './config.ts'

if ((process.env['NODE_ENV'] || 'production') === 'production') {
  process.stderr.write(
    'The local identity provider is for development and tests; NODE_ENV=production needs Keycloak.\n',
  )
  process.exit(1)
}

await runProcess({
  name: 'identity-provider',
  schema: configSchema,
  start: async (config, logger) => {
    const { server, close } = await createIdentityProvider(config, logger)
    server.listen(config.PORT, config.HOST)
    await once(server, 'listening')
    logger.info({ address: server.address(), issuer: config.ISSUER_ORIGIN }, 'listening')
    return close
  },
})
