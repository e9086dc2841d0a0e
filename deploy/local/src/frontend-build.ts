import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { readJson, removeDrafts, writeJson } from './files.ts'
import { repoRoot, sharedToolsDir } from './paths.ts'
import { errorCode, Problem } from './problem.ts'

/** Remembers from what the last build was made. */
const stampFile = join(sharedToolsDir, '../frontend-build.json')

/** Folder that the BFF serves. */
export const frontendDist = join(repoRoot, 'frontend/dist')

/** Inputs of the built page: its own files, and those of every package of ours that it depends on. */
export function frontendInputs(): string[] {
  const manifest = readJson(join(repoRoot, 'frontend/package.json'), manifestSchema)
  const ours = Object.keys(manifest?.dependencies ?? {}).filter((name) => name.startsWith('@parley/'))
  return ['frontend', ...ours.map((name) => name.replace('@parley/', 'packages/')), 'package-lock.json']
}
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) })
const notInputs = new Set(['node_modules', 'coverage', '.vite', 'dist'])

/** `page`: the digest of the page that was built; not known of older builds. */
const stampSchema = z.object({ inputs: z.string(), page: z.string().optional() })

/**
 * Builds the frontend, unless the build that is there was made from the same files.
 * @throws Problem with the last lines of the build's output if it fails.
 */
export async function buildFrontend(note: (line: string) => void): Promise<void> {
  const digest = await digestOf(repoRoot, frontendInputs(), buildSettings(process.env))
  const last = readJson(stampFile, stampSchema)
  if (last?.inputs === digest && last.page === (await digestOfPage())) return
  note('Building the frontend …')
  removeDrafts(stampFile)
  const draft = `${stampFile}.${process.pid}`
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', draft, '--emptyOutDir'], {
      cwd: join(repoRoot, 'frontend'),
      maxBuffer: 16 * 1024 * 1024,
      env: { ...process.env, NODE_ENV: 'production' },
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
  writeJson(stampFile, { inputs: digest, page: await digestOfPage() })
}

/**
 * Returns the digest of the page that is there, which another build (`npm run build`) may have put there; without a page, of
 * nothing.
 */
const digestOfPage = () => digestOf(frontendDist, ['index.html'])

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

/** The variables that Vite writes into the page, in a fixed order. */
export const buildSettings = (environment: NodeJS.ProcessEnv): string =>
  Object.entries(environment)
    .filter(([name]) => name.startsWith('VITE_'))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\0')

/** Returns SHA-256 over the paths and contents of all files below `entries`, and over the settings of the build. */
export async function digestOf(root: string, entries: readonly string[], settings = ''): Promise<string> {
  const hash = createHash('sha256').update(`${settings.length}\0${settings}`)
  const patterns = entries.flatMap((entry) => [entry, `${entry}/**`])
  const found = globSync(patterns, { cwd: root, withFileTypes: true, exclude: ({ name }) => notInputs.has(name) })
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) {
    const content = await readFile(file)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
