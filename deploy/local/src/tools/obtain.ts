import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { removeDrafts } from '../files.ts'
import { errorCode, explainFileError, Problem } from '../problem.ts'
import { download, sha256, unpack } from './download.ts'
import { compareVersions, type Located } from './locate.ts'
import type { Source, Tool } from './manifest.ts'

interface ObtainOptions {
  readonly toolsDir: string
  readonly note: (line: string) => void
  readonly platform?: string
  readonly glibc?: string | undefined
  /** Ends the transfer in hand, and tries no other source. */
  readonly signal?: AbortSignal | undefined
}

/** A tool that an earlier start obtained. */
export function findObtained(tool: Tool, options: Pick<ObtainOptions, 'toolsDir' | 'platform'>): Located | undefined {
  const { toolsDir, platform = currentPlatform } = options
  return tool.sources
    .filter((source) => source.platform === platform)
    .map(({ member, version }) => {
      const command = basename(member)
      return { path: join(toolsDir, `${tool.id}-${version}`, command), command, version }
    })
    .find(({ path }) => existsSync(path))
}

/**
 * Obtains a tool without root: each source of this platform in turn, verified before it is unpacked, and put in place in
 * one step so that a broken download is never taken for a tool.
 * @throws Problem naming the ways out if no source works, or at once if the disk is full; the reason of `signal` once that has ended it.
 */
export async function obtain(tool: Tool, options: ObtainOptions): Promise<Located> {
  const { toolsDir, note, platform = currentPlatform, glibc = currentGlibc(), signal } = options
  const fits = ({ platform: sourcePlatform, minGlibc }: Source) =>
    sourcePlatform === platform && (minGlibc === undefined || compareVersions(glibc ?? '0', minGlibc) >= 0)
  try {
    await mkdir(toolsDir, { recursive: true })
    if (removeDrafts(join(toolsDir, tool.id))) note(`A half-finished download of ${tool.label} was found and removed.`)
  } catch (error) {
    throw explainFileError(error, toolsDir)
  }
  const failures: string[] = []
  for (const source of tool.sources.filter(fits)) {
    try {
      await install(tool, source, options)
      const found = findObtained(tool, options)
      if (found) return found
    } catch (error) {
      signal?.throwIfAborted()
      if (errorCode(error) === 'ENOSPC') throw explainFileError(error, toolsDir)
      const reason = reasonOf(error)
      failures.push(`${sourceName(source)}: ${reason}`)
      note(`${tool.label} ${source.version} could not be downloaded from ${sourceName(source)}: ${reason}`)
    }
  }
  const why = failures.join('; ') || `there is no source for ${platform}`
  throw new Problem(`${tool.label} is not installed and could not be obtained (${why}).`, tool.waysOut)
}

async function install(tool: Tool, source: Source, { toolsDir, note, signal }: ObtainOptions): Promise<void> {
  note(`Getting ${tool.label} ${source.version} (${source.megabytes} MB) from ${sourceName(source)} …`)
  const draft = join(toolsDir, `${tool.id}.${process.pid}`)
  const done = join(draft, 'done')
  const program = join(done, basename(source.member))
  await mkdir(done, { recursive: true })
  try {
    const file = await download(source, draft, signal)
    const digest = await sha256(file)
    if (digest !== source.sha256) throw new Error(`its SHA-256 is ${digest}, not ${source.sha256}; it was deleted`)
    await rename(await unpack(source, file, draft), program)
    await chmod(program, 0o755)
    await rename(done, join(toolsDir, `${tool.id}-${source.version}`)).catch((error: unknown) => {
      // Another start has finished first; its tool is as good as ours.
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** `fetch` tells the reason of a failed connection as the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

function sourceName({ kind, from }: Source): string {
  if (kind === 'archive') return new URL(from).host
  return kind === 'wheel' ? `the Python package ${from}` : `Maven (${from})`
}

const currentPlatform = `${process.platform}-${process.arch}`

const reportSchema = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })

const currentGlibc = () => reportSchema.safeParse(process.report.getReport()).data?.header.glibcVersionRuntime
