import { onTestFinished } from 'vitest'
import type { ComponentName } from '../component.ts'
import type { Progress } from '../run-components.ts'
import { type StackOptions, startStack } from '../stack.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

/** A stack for one test alone, which may harm it. It is stopped, and its folder removed, when the test has finished. */
export async function ownStack(components: readonly ComponentName[], options: Partial<StackOptions> = {}) {
  const events: Progress[] = []
  const stack = await startStack({
    components,
    throwAway: true,
    environment: {},
    ...options,
    dataDir: options.dataDir ?? throwAwayFolder(),
    onProgress: (progress) => events.push(progress),
  })
  onTestFinished(stack.stop)
  return {
    stack,
    /** Notes and problems told so far. */
    notes: () =>
      events.flatMap((event) =>
        event.kind === 'note' ? [event.line] : event.kind === 'failed' ? [event.problem.message] : [],
      ),
  }
}
