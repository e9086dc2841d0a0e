import { join, resolve } from 'node:path'

/** The checkout that this launcher belongs to. */
export const repoRoot = resolve(import.meta.dirname, '../../..')
/**
 * Folder in which `npm start` keeps everything that it makes: `.parley/` of the checkout, or the folder that PARLEY_HOME names.
 */
export const defaultDataDir = process.env['PARLEY_HOME']
  ? resolve(process.env['PARLEY_HOME'])
  : join(repoRoot, '.parley')
/** Programs obtained once and shared by every stack of this checkout. */
export const sharedToolsDir = join(repoRoot, '.parley', 'tools')
/** Cache of what Node compiled before, shared in the same way. */
export const sharedCompileCache = join(repoRoot, '.parley', 'compile-cache')

/** The files and folders of one stack. */
export function stackPaths(dataDir: string) {
  return {
    root: dataDir,
    lock: join(dataDir, 'lock.json'),
    ports: join(dataDir, 'ports.json'),
    state: join(dataDir, 'state.json'),
    secrets: join(dataDir, 'secrets.json'),
    urls: join(dataDir, 'urls.json'),
    /** One line a running child: process id, name and command, separated by tabs. */
    children: join(dataDir, 'children.tsv'),
    data: join(dataDir, 'data'),
    logs: join(dataDir, 'logs'),
  }
}
export type StackPaths = ReturnType<typeof stackPaths>
