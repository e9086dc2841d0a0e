import { configSchema } from '@parley/bff/config'
import { createDependencies } from '@parley/bff/dependencies'
import type { Environment } from '@parley/local/component'
import { parseConfig } from '@parley/service-kit/core/config'
import { createLogger } from '@parley/service-kit/core/logger'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startNode } from '../program.ts'
import { emptySite } from '../stack.ts'

/** A BFF in a process of its own with the settings of production, and its components once more in this process to make sessions with. */
export async function startBff(bffEnvironment: Environment, folder: string) {
  const env: Environment = { ...bffEnvironment, NODE_ENV: 'production', STATIC_DIR: emptySite(folder) }
  const inspectPort = await freePort()
  const { pid, stop } = await startNode({
    name: `bff-${env['PORT']}`,
    script: 'bff/src/server.ts',
    env,
    folder,
    nodeArguments: [`--inspect-port=${inspectPort}`],
  })
  const config = parseConfig(configSchema, env)
  const { dependencies, disconnect } = await createDependencies(config, createLogger({ name: 'bench', level: 'error' }))
  return {
    origin: `http://127.0.0.1:${env['PORT']}`,
    config,
    pid,
    inspectPort,
    dependencies,
    stop: async () => {
      disconnect()
      await stop()
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
