import type { StackPaths } from './paths.ts'
import type { Ports } from './ports.ts'

/** One finding of the doctor. A problem always comes with what to do about it. */
export interface Check {
  readonly verdict: 'ok' | 'note' | 'problem'
  readonly subject: string
  readonly finding: string
  readonly remedy?: string
}

export interface DiagnosisContext {
  readonly paths: StackPaths
  readonly toolsDir: string
  readonly environment: NodeJS.ProcessEnv
  readonly ports: Partial<Ports>
  /** Process id of the launcher that runs in this folder. */
  readonly launcher: number | undefined
}
