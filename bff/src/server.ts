import { releaseConnections } from '@parley/service-kit/core/release-connections'
import { runProcess } from '@parley/service-kit/core/run-process'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'
import { createDependencies } from './dependencies.ts'
import { listen, stopListening } from './listen.ts'
import { buildManagementApp } from './management.ts'

const reloadKeysMs = 10 * 60_000

await runProcess({
  name: 'bff',
  schema: configSchema,
  start: async (config, logger, giveUp) => {
    const { dependencies, publicKeys, keySet, disconnect } = await createDependencies(config, logger, giveUp)
    const { eventStreams, metrics, readiness } = dependencies
    const management = await listen(buildManagementApp({ metrics, publicKeys }), config.HOST, config.MANAGEMENT_PORT)
    const server = await listen(buildApp(config, dependencies), config.HOST, config.PORT)
    const keyReload = setInterval(() => void keySet.reload().catch(() => undefined), reloadKeysMs)
    logger.info({ port: config.PORT }, 'listening')
    return async () => {
      readiness.drain()
      clearInterval(keyReload)
      eventStreams.close()
      await releaseConnections(server)
      await stopListening(server)
      await stopListening(management, 1000)
      await disconnect()
    }
  },
})
