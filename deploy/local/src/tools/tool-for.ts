import type { StackContext } from '../part.ts'
import { type Located, locateOnPath } from './locate.ts'
import type { Tool } from './manifest.ts'
import { findObtained, obtain } from './obtain.ts'

/** The program for a part: from the PATH, else what an earlier start obtained, else obtained now. */
export async function toolFor(tool: Tool, context: Pick<StackContext, 'toolsDir' | 'say'>): Promise<Located> {
  return (await locateOnPath(tool, context.say)) ?? (await findObtained(tool, context)) ?? (await obtain(tool, context))
}
