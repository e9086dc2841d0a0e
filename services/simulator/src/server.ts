import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProcess } from '@parley/service-kit/core/run-process'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'
import { createSimulator } from './simulator.ts'

await runProcess({
  name: 'simulator',
  schema: configSchema,
  start: async (config, logger) => {
    if (config.NODE_ENV === 'production' && config.SIMULATOR_ALLOWED_IN_PRODUCTION === 'no')
      throw new Error('The simulator stands in for WhatsApp and does not run with NODE_ENV=production.')
    const folder = config.SIMULATOR_DATA ?? mkdtempSync(join(tmpdir(), 'parley-simulator-'))
    const simulator = createSimulator({ folder, seed: config.SIMULATOR_SEED })
    const app = await buildApp(simulator, logger)
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await app.close()
      simulator.stop()
    }
  },
})
