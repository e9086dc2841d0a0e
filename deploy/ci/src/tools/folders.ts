import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { findOnPath } from '@parley/local/tools/locate'

/** Cache of tools that take minutes to build or fetch: outside the checkout, for the next clone. */
export const toolsCache = resolve(process.env['PARLEY_TOOLS_CACHE'] || join(homedir(), '.cache', 'parley-tools'))
export const binFolder = join(toolsCache, 'bin')
const path = [binFolder, ...(process.env['PATH'] ?? '').split(delimiter)]
/** PATH for child processes, which finds the kept programs too. */
export const toolsPath = path.join(delimiter)

/** The file that a program's name stands for, in the kept folder or on the PATH. */
export const programPath = (program: string): string | undefined => findOnPath(program, path)

/** @returns what was wanted and why it failed; nothing when it worked. */
export function attempt(what: string, work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    return `${what}: ${reason}`
  }
}
