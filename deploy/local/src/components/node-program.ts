import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { memoryVariablesWithoutLimit } from '@parley/processes/memory'
import type { Environment, LocalProgram, StackContext } from '../component.ts'
import { inheritedEnvironment } from '../environment.ts'
import { repoRoot, sharedCompileCache } from '../paths.ts'
import type { PortName } from '../ports.ts'
import { Problem } from '../problem.ts'
import { respondsOk } from './health.ts'

/** What every Node process of a stack gets beside its own settings. */
export function nodeEnvironment(context: StackContext, port: PortName): Environment {
  return {
    ...inheritedEnvironment(context.environment),
    ...memoryVariablesWithoutLimit,
    NODE_ENV: context.forTests ? 'test' : 'development',
    HOST: '127.0.0.1',
    PORT: String(context.ports[port]),
  }
}

interface NodeProgram {
  /** Path of the start file inside the checkout. */
  readonly script: string
  readonly label: string
  readonly env: Environment
  readonly ports: readonly PortName[]
  /** A URL that answers 200 once the process can serve. */
  readonly readyUrl: string
  readonly before?: () => Promise<void> | void
}

/** A component that is one of our own Node programs. */
export function nodeProgram({ script, label, env, ports, readyUrl, before }: NodeProgram): LocalProgram {
  return {
    ports,
    startTimeoutMs: 60_000,
    prepare: async () => {
      if (!existsSync(join(repoRoot, script)))
        throw new Problem(`${label} cannot start: ${script} is missing.`, 'Update your checkout.')
      await before?.()
      // Compiled modules are kept between starts, which then take two thirds of the time.
      const withCache = { ...env, NODE_COMPILE_CACHE: sharedCompileCache }
      return { command: { file: process.execPath, args: [script], env: withCache, cwd: repoRoot } }
    },
    isHealthy: () => respondsOk(readyUrl),
  }
}
