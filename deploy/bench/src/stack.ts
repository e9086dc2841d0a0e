import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** The stack's own list: process id, name and command of each. */
export function childrenOf(dir: string): Record<string, number> {
  const lines = readFileSync(join(dir, 'children.tsv'), 'utf8').trim().split('\n')
  const children = lines.map((line) => line.split('\t'))
  return Object.fromEntries(children.flatMap(([pid, name = '']) => (name === 'mail' ? [] : [[name, Number(pid)]])))
}
