import { join } from 'node:path'
import type { Component, StackContext } from '../component.ts'
import { containerProgram, type ImageVariable, wantsContainers } from '../containers/program.ts'
import { backingUrl, inheritedEnvironment } from '../environment.ts'
import { ensureFolder } from '../files.ts'
import { versionSeries } from '../tools/locate.ts'
import type { Tool } from '../tools/manifest.ts'
import { toolFor } from '../tools/tool-for.ts'
import { acceptsConnections } from './health.ts'
import { remoteComponent } from './remote.ts'

interface Store {
  readonly name: 'mongodb' | 'redis'
  readonly label: string
  /** Names a server to use instead. */
  readonly variable: string
  readonly tool: Tool
  /** Arguments of the server, with its data in this folder. */
  readonly argumentsFor: (folder: string) => string[]
  readonly container: { readonly image: ImageVariable; readonly entrypoint: string[]; readonly folder: string }
  readonly isUrlHealthy: (url: string) => Promise<boolean>
  /** Readiness of the local server: true once it accepts connections. */
  readonly isReady: () => Promise<boolean>
}

/** A server for data: the one that the environment names, a container, or a program of this machine. */
export function storeComponent(context: StackContext, store: Store): Component {
  const { name, label, variable, argumentsFor } = store
  const base = { name, label, kind: 'real', needs: [] } as const
  const url = backingUrl(context.environment, variable)
  if (url) return remoteComponent(base, { variable, url, isHealthy: store.isUrlHealthy })
  const port = context.ports[name]
  const dataDir = join(context.paths.data, name)
  const env = inheritedEnvironment(context.environment)
  async function program() {
    const { path, command, version } = await toolFor(store.tool, context)
    const choice = { source: 'local', what: `${command} ${versionSeries(version)}` } as const
    return { command: { file: path, args: argumentsFor(dataDir), env, cwd: dataDir }, choice, version }
  }
  function container() {
    const { image, entrypoint, folder } = store.container
    const mounts = [{ source: dataDir, target: folder, mode: 'rw' as const }]
    return containerProgram({ name, image, entrypoint, args: argumentsFor(folder), mounts }, context)
  }
  return {
    ...base,
    address: `${name}://127.0.0.1:${port}`,
    dataAt: dataDir,
    env,
    local: {
      ports: [name],
      startTimeoutMs: 300_000,
      prepare: () => {
        ensureFolder(dataDir)
        return wantsContainers(context) ? container() : program()
      },
      isHealthy: async () => (await acceptsConnections(port)) && (await store.isReady()),
    },
  }
}
