import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type StackOptions, startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { log } from './report.ts'

export const production = { NODE_ENV: 'production', LOG_LEVEL: 'info' }

/** Where a stack lies, and in it a folder for files of the run. Both are removed when the stack stops. */
export function createFolders() {
  const dataDir = throwAwayFolder()
  const folder = join(dataDir, 'bench')
  mkdirSync(folder)
  return { dataDir, folder }
}

type Options = Omit<StackOptions, 'throwAway' | 'dataDir'>

/** A stack on stores of its own. */
export async function startBenchStack(options: Options, { dataDir, folder } = createFolders()) {
  const stack = await startStack({
    environment: {},
    ...options,
    dataDir,
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') log(progress.line)
    },
  })
  return { stack, dataDir, folder }
}

/** A BFF needs a page to serve, and nobody asks for it here. @returns its folder. */
export function emptySite(folder: string): string {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '')
  return site
}

/** Starts one thing after the other. Where one of them fails, those before are stopped again, the last first. */
export async function startAll<T>(start: (started: AsyncDisposableStack) => Promise<T>) {
  const started = new AsyncDisposableStack()
  const stop = () => started.disposeAsync()
  try {
    return { ...(await start(started)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
