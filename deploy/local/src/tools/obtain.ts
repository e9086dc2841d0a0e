import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import { errorCode, explainFileError, Problem } from '../problem.ts'
import { isAlive } from '../processes.ts'
import { download, sha256, unpack } from './download.ts'
import type { Located } from './locate.ts'
import { type Platform, platforms, type Source, type Tool } from './manifest.ts'
import { compareVersions } from './versions.ts'

/** Written beside an obtained program, so that later starts and the doctor can tell whether it is still whole. */
const receiptSchema = z.object({ version: z.string(), sha256: z.string(), sizeBytes: z.int() })

interface ObtainOptions {
  readonly toolsDir: string
  readonly note: (line: string) => void
  readonly platform?: string
  readonly glibc?: string | undefined
  /** Whether a damaged tool is removed (so that it is obtained again) or only reported; yes where absent. */
  readonly repair?: boolean
}

/**
 * A tool that an earlier start obtained, if it is whole. A damaged one is reported and removed.
 * @param check `'size'` compares sizes (milliseconds), `'digest'` hashes the program.
 */
export async function findObtained(
  tool: Tool,
  { toolsDir, note, platform = currentPlatform(), repair = true }: ObtainOptions,
  check: 'size' | 'digest' = 'size',
): Promise<Located | undefined> {
  for (const source of tool.sources.filter((candidate) => candidate.platform === platform)) {
    const folder = join(toolsDir, `${tool.id}-${source.version}`)
    if (!existsSync(folder)) continue
    const path = join(folder, basename(source.member))
    const receipt = readJson(join(folder, 'receipt.json'), receiptSchema)
    const sizeFits = receipt && existsSync(path) && statSync(path).size === receipt.sizeBytes
    if (sizeFits && (check === 'size' || (await sha256(path)) === receipt.sha256))
      return { path, command: basename(source.member), version: source.version, origin: 'obtained' }
    note(`${tool.label} in ${folder} is damaged; npm start removes it and obtains it again.`)
    if (repair) await rm(folder, { recursive: true, force: true })
  }
  return undefined
}

/**
 * Obtains a tool without root: each source of this platform in turn, verified before it is unpacked, and put in place in
 * one step so that a broken download is never taken for a tool.
 * @throws Problem naming the ways out if no source works, or at once if the disk is full.
 */
export async function obtain(tool: Tool, options: ObtainOptions): Promise<Located> {
  const { toolsDir, note, platform = currentPlatform(), glibc = currentGlibc() } = options
  try {
    await mkdir(toolsDir, { recursive: true })
    await removeHalfFinished(tool, toolsDir, note)
  } catch (error) {
    throw explainFileError(error, toolsDir)
  }
  const failures: string[] = []
  for (const source of tool.sources.filter((candidate) => fits(candidate, platform, glibc))) {
    try {
      await install(tool, source, toolsDir, note)
      const found = await findObtained(tool, { toolsDir, note, platform })
      if (found) return found
    } catch (error) {
      if (errorCode(error) === 'ENOSPC') throw explainFileError(error, toolsDir)
      const reason = error instanceof Error ? error.message : String(error)
      failures.push(`${sourceName(source)}: ${reason}`)
      note(`${tool.label} ${source.version} could not be had from ${sourceName(source)}: ${reason}`)
    }
  }
  const why = failures.length > 0 ? failures.join('; ') : `there is no source for ${platform}`
  throw new Problem(`${tool.label} is not installed and could not be obtained (${why}).`, tool.waysOut)
}

async function install(tool: Tool, source: Source, toolsDir: string, note: (line: string) => void): Promise<void> {
  note(`Getting ${tool.label} ${source.version} (${source.megabytes} MB) from ${sourceName(source)} …`)
  const draft = await mkdtemp(join(toolsDir, `${tool.id}.component-${process.pid}-`))
  try {
    const file = await download(source, draft, (percent) =>
      note(`Getting ${tool.label} ${source.version}: ${percent} %`),
    )
    const digest = await sha256(file)
    if (digest !== source.sha256) throw new Error(`its SHA-256 is ${digest}, not ${source.sha256}; it was deleted`)
    const program = await unpack(source, file, draft)
    await place(program, join(draft, 'done'), source)
    await putInPlace(join(draft, 'done'), join(toolsDir, `${tool.id}-${source.version}`))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function place(program: string, folder: string, source: Source): Promise<void> {
  await mkdir(folder)
  const path = join(folder, basename(source.member))
  await rename(program, path)
  await chmod(path, 0o755)
  const receipt = { version: source.version, sha256: await sha256(path), sizeBytes: statSync(path).size }
  writeJson(join(folder, 'receipt.json'), receipt)
}

/** Another start may have finished first; its tool is as good as ours. */
async function putInPlace(folder: string, target: string): Promise<void> {
  try {
    await rename(folder, target)
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
  }
}

async function removeHalfFinished(tool: Tool, toolsDir: string, note: (line: string) => void): Promise<void> {
  for (const name of await readdir(toolsDir)) {
    const pid = new RegExp(`^${tool.id}\\.component-(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    note(`A half-finished download of ${tool.label} was found and removed.`)
    await rm(join(toolsDir, name), { recursive: true, force: true })
  }
}

function fits(source: Source, platform: string, glibc: string | undefined): boolean {
  if (source.platform !== platform) return false
  if (source.kind !== 'archive' || source.minGlibc === undefined) return true
  return glibc !== undefined && compareVersions(glibc, source.minGlibc) >= 0
}

function sourceName(source: Source): string {
  if (source.kind === 'archive') return new URL(source.url).host
  return source.kind === 'wheel' ? `the Python package ${source.requirement}` : `Maven (${source.artifact})`
}

/** `linux-x64` and the like; a platform without sources stays as it is, for the message. */
function currentPlatform(): Platform | `${string}-${string}` {
  const name = `${process.platform}-${process.arch}`
  return platforms.find((platform) => platform === name) ?? `${process.platform}-${process.arch}`
}

const reportSchema = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })

function currentGlibc(): string | undefined {
  return reportSchema.safeParse(process.report.getReport()).data?.header.glibcVersionRuntime
}
