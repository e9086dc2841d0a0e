import type { StackContext } from '../component.ts'
import { type Located, locateOnPath } from './locate.ts'
import type { Tool } from './manifest.ts'
import { findObtained, obtain } from './obtain.ts'

/** The program for a component: from the PATH, else what an earlier start obtained, else obtained now. */
export async function toolFor(
  tool: Tool,
  context: Pick<StackContext, 'toolsDir' | 'note' | 'signal'>,
): Promise<Located> {
  return (
    (await locateOnPath(tool, context.note)) ?? (await findObtained(tool, context)) ?? (await obtain(tool, context))
  )
}
