import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configSchema } from '@parley/bff/config'
import { createDependencies } from '@parley/bff/dependencies'
import type { Environment } from '@parley/local/component'
import { parseConfig } from '@parley/service-kit/core/config'
import { createLogger } from '@parley/service-kit/core/logger'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startChild } from './subjects/child.ts'

/** A BFF in a process of its own with the settings of production, and its parts once more in this process to make sessions with. */
export async function startBff(bffEnvironment: Environment, folder: string) {
  const env: Environment = { ...bffEnvironment, NODE_ENV: 'production', STATIC_DIR: emptySite(folder) }
  const origin = `http://127.0.0.1:${env['PORT']}`
  const child = await startChild(
    {
      file: process.execPath,
      args: ['--inspect-port=0', 'bff/src/server.ts'],
      env,
      logFile: join(folder, `bff-${env['PORT']}.log`),
    },
    `${origin}/readyz`,
  )
  const config = parseConfig(configSchema, env)
  const { dependencies, disconnect } = await createDependencies(config, createLogger({ name: 'bench', level: 'error' }))
  return {
    origin,
    config,
    process: child.process,
    dependencies,
    stop: async () => {
      disconnect()
      await child.stop()
    },
  }
}
export type BffUnderLoad = Awaited<ReturnType<typeof startBff>>

/** The same with ports of its own and some settings changed, beside the first one. */
export async function startAnotherBff(bffEnvironment: Environment, folder: string, changed: Environment) {
  const [port, managementPort] = [await freePort(), await freePort()]
  return startBff(
    { ...bffEnvironment, PORT: String(port), MANAGEMENT_PORT: String(managementPort), ...changed },
    folder,
  )
}

/** The BFF needs a page to serve, and nobody asks for it here. */
function emptySite(folder: string): string {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '')
  return site
}
