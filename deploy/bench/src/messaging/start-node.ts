import { join } from 'node:path'
import { repoRoot } from '@parley/local/paths'
import { type Child, startChild } from '../auth/subjects/child.ts'

export interface NodeProcess {
  readonly name: string
  /** From the top of the checkout. */
  readonly script: string
  readonly env: Record<string, string>
  readonly folder: string
}

/** A program of ours as its own process, its log in the folder. */
export const startNode = ({ name, script, env, folder }: NodeProcess): Promise<Child> =>
  startChild(
    { file: process.execPath, args: [join(repoRoot, script)], env, logFile: join(folder, `${name}.log`) },
    `http://127.0.0.1:${env['PORT']}/healthz`,
  )
