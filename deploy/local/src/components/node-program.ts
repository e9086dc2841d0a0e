import { memoryVariablesWithoutLimit } from '@parley/processes/memory'
import type { Environment, LocalProgram, StackContext } from '../component.ts'
import { inheritedEnvironment } from '../environment.ts'
import { repoRoot, sharedCompileCache } from '../paths.ts'
import type { PortName } from '../ports.ts'

/** Returns the settings that every Node process of a stack gets beside its own. */
export const nodeEnvironment = (context: StackContext, port: PortName): Environment => ({
  ...inheritedEnvironment(context.environment),
  ...memoryVariablesWithoutLimit,
  NODE_ENV: context.forTests ? 'test' : 'development',
  HOST: '127.0.0.1',
  PORT: String(context.ports[port]),
})

interface NodeProgram extends Pick<LocalProgram, 'ports' | 'isHealthy'> {
  /** Path of the start file inside the checkout. */
  readonly script: string
  readonly env: Environment
  /** Restarts it whenever a file changes that it has loaded, and lets a debugger attach there. */
  readonly inspectPort?: number | undefined
  readonly before?: () => Promise<void> | void
}

/** A component that is one of our own Node programs. */
export const nodeProgram = ({ script, env, ports, isHealthy, inspectPort, before }: NodeProgram): LocalProgram => ({
  ports,
  startTimeoutMs: 300_000,
  prepare: async () => {
    await before?.()
    // Compiled modules are kept between starts, which then take two thirds of the time.
    const withCache = { ...env, NODE_COMPILE_CACHE: sharedCompileCache }
    const watch = ['--watch', '--watch-preserve-output', `--inspect=127.0.0.1:${inspectPort}`]
    const args = inspectPort === undefined ? [script] : [...watch, script]
    return { command: { file: process.execPath, args, env: withCache, cwd: repoRoot } }
  },
  isHealthy,
})
