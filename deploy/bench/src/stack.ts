import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@parley/local/component'
import { type StackOptions, startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { log } from './report.ts'

/** The launcher lets webhooks go to this machine, which production refuses. */
export const production = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  WEBHOOK_ALLOW_PRIVATE: 'off',
  CONNECTION_ALLOW_PRIVATE: 'off',
}

/** A stack on stores of its own, and in it a folder for files of the run. Both are removed when it stops. */
export async function startBenchStack(options: Omit<StackOptions, 'throwAway' | 'dataDir'>) {
  const dataDir = throwAwayFolder()
  const folder = join(dataDir, 'bench')
  mkdirSync(folder)
  const stack = await startStack({
    environment: {},
    ...options,
    dataDir,
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') log(progress.line)
    },
  })
  return { stack, dataDir, folder, [Symbol.asyncDispose]: stack.stop }
}
export type BenchStack = Awaited<ReturnType<typeof startBenchStack>>

/** Returns a BFF's environment in production. It needs a page to serve, which is never requested here. */
export function bffEnvironment({ stack, folder }: Pick<BenchStack, 'stack' | 'folder'>): Environment {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '')
  return { ...stack.env.bff, ...production, STATIC_DIR: site }
}
