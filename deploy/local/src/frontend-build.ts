import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'
import { repoRoot } from './paths.ts'
import { errorCode, Problem } from './problem.ts'
import { isAlive } from './processes.ts'

/** What the BFF serves. */
export const frontendDist = join(repoRoot, 'frontend/dist')

/** Everything that the built page is made from. */
const inputs = [
  'frontend',
  'packages/contracts',
  'packages/flow',
  'packages/phone',
  'packages/sample',
  'package-lock.json',
]
const notInputs = /^(node_modules|coverage|\.vite|dist)$/

const stampSchema = z.object({ inputs: z.string() })

/**
 * Builds the frontend, unless the build that is there was made from the same files.
 * @param stampFile remembers from what the last build was made.
 * @throws Problem with the last lines of the build's output if it fails.
 */
export async function buildFrontend({ stampFile, note }: { stampFile: string; note: (line: string) => void }) {
  const digest = await digestOf(repoRoot, inputs, buildSettings(process.env))
  const isCurrent = existsSync(join(frontendDist, 'index.html')) && readJson(stampFile, stampSchema)?.inputs === digest
  if (isCurrent) return
  note('Building the frontend …')
  await removeUnfinished(stampFile)
  const draft = `${stampFile}.${process.pid}`
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', draft, '--emptyOutDir'], {
      cwd: join(repoRoot, 'frontend'),
      maxBuffer: 16 * 1024 * 1024,
      // This stack is for development and tests, which show every state of a screen (`?state=empty`).
      env: { ...process.env, NODE_ENV: 'production', VITE_FORCED_STATES: 'on' },
    })
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Problem(
      'The frontend could not be built.',
      `The last lines note why:\n    ${output.trim().split('\n').slice(-12).join('\n    ')}`,
    )
  }
  await replaceDist(draft)
  writeJson(stampFile, { inputs: digest })
}

/** A page that is being served is replaced at one stroke, not emptied for the length of a build. */
async function replaceDist(draft: string): Promise<void> {
  for (;;) {
    await rm(frontendDist, { recursive: true, force: true })
    try {
      return await rename(draft, frontendDist)
    } catch (error) {
      // Another start finished its build in between; ours is as good.
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** A start that is ended in the middle of a build leaves its draft behind. */
async function removeUnfinished(stampFile: string): Promise<void> {
  const prefix = `${basename(stampFile)}.`
  for (const name of await readdir(dirname(stampFile))) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN)
    if (Number.isInteger(pid) && !isAlive(pid))
      await rm(join(dirname(stampFile), name), { recursive: true, force: true })
  }
}

/** The variables that Vite writes into the page, in a fixed order. */
export const buildSettings = (environment: NodeJS.ProcessEnv): string =>
  Object.entries(environment)
    .filter(([name]) => name.startsWith('VITE_'))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\0')

/** SHA-256 over the paths and contents of all files below `entries`, and over the settings of the build. */
export async function digestOf(root: string, entries: readonly string[], settings = ''): Promise<string> {
  const hash = createHash('sha256').update(`${settings.length}\0${settings}`)
  for (const file of (await Promise.all(entries.map((entry) => filesBelow(root, entry)))).flat().sort()) {
    const content = await readFile(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function filesBelow(root: string, path: string): Promise<string[]> {
  let entries: { name: string; isDirectory(): boolean; isFile(): boolean }[]
  try {
    entries = await readdir(join(root, path), { withFileTypes: true })
  } catch {
    return existsSync(join(root, path)) ? [path] : []
  }
  const found = entries
    .filter((entry) => !notInputs.test(entry.name))
    .map((entry) => {
      const child = `${path}/${entry.name}`
      return entry.isDirectory() ? filesBelow(root, child) : entry.isFile() ? [child] : []
    })
  return (await Promise.all(found)).flat()
}
