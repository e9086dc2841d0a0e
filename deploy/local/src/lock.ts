import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { errorCode, explainFileError, Problem } from './problem.ts'
import { commandLine, isAlive } from './processes.ts'

const lockSchema = z.object({ pid: z.int().positive(), command: z.string() })
type LockHolder = z.infer<typeof lockSchema>

export interface Lock {
  /** The process id of a launcher that died without letting go of the lock, where there was one. */
  readonly staleHolder: number | undefined
  release(): void
}

/**
 * Makes this process the only launcher of a data folder. The lock is a file with the holder's process id; one whose process is
 * gone, or is another program by now, is stale and taken over.
 * @throws Problem if another launcher runs there.
 */
export function acquireLock(file: string): Lock {
  const mine = JSON.stringify({ pid: process.pid, command: commandLine(process.pid) })
  let staleHolder: number | undefined
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file, mine)) return { staleHolder, release: () => release(file, mine) }
    const found = readText(file)
    const holder = parseHolder(found)
    if (holder && isRunning(holder)) throw alreadyRuns(file, holder.pid)
    if (removeStale(file, found)) staleHolder = holder?.pid ?? 0
  }
  throw new Problem(`The lock ${file} keeps changing hands.`, 'Wait until the other start has finished and try again.')
}

/** The running launcher that holds the lock, `'stale'` for a lock without one, `undefined` for no lock. */
export function lockHolder(file: string): number | 'stale' | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const holder = parseHolder(text)
  return holder && isRunning(holder) ? holder.pid : 'stale'
}

function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw explainFileError(error, file)
  }
}

/** Moves the stale lock away first and looks again: another start may have replaced it in between, and keeps it then. */
function removeStale(file: string, stale: string | undefined): boolean {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw explainFileError(error, file)
  }
  const isStale = readText(aside) === stale
  if (!isStale) linkSync(aside, file)
  rmSync(aside, { force: true })
  return isStale
}

function release(file: string, mine: string): void {
  if (readText(file) === mine) rmSync(file, { force: true })
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw explainFileError(error, file)
  }
}

function parseHolder(text: string | undefined): LockHolder | undefined {
  try {
    return lockSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

const isRunning = (holder: LockHolder): boolean => isAlive(holder.pid) && commandLine(holder.pid) === holder.command

function alreadyRuns(file: string, pid: number): Problem {
  return new Problem(
    `Parley already runs in this folder (process ${pid}, lock ${file}).`,
    `Stop it with Ctrl-C where it was started, or with: kill ${pid}`,
  )
}
