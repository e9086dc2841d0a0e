import type { Environment, PartName } from '../part.ts'
import type { StackUrls } from '../stack.ts'

/** What `inject('stack')` gives a test: the stack that the global setup started. */
interface ProvidedStack {
  readonly urls: StackUrls
  /** The complete environment of every part, of those too that are not started (`env.bff`). */
  readonly env: Record<PartName, Environment>
  /** Parts that run. */
  readonly parts: readonly PartName[]
  readonly repoRoot: string
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: ProvidedStack
  }
}
