import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { readText } from './files.ts'
import { errorCode, explainFileError, Problem } from './problem.ts'
import { commandLine, isAlive } from './processes.ts'

const holderSchema = z.object({ pid: z.int().positive(), command: z.string() })

interface Lock {
  /** The process id of a launcher that died without letting go of the lock, where there was one. */
  readonly staleHolder: number | undefined
  readonly release: () => void
}

/**
 * Makes this process the only launcher of a data folder. The lock is a file with the holder's process id; one whose process is
 * gone, or is another program by now, is stale and taken over.
 * @throws Problem if another launcher runs there.
 */
export function acquireLock(file: string): Lock {
  const mine = JSON.stringify({ pid: process.pid, command: commandLine(process.pid) })
  const release = () => {
    if (readText(file) === mine) rmSync(file, { force: true })
  }
  let staleHolder: number | undefined
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file, mine)) return { staleHolder, release }
    const found = readText(file)
    const holder = parseHolder(found)
    if (holder?.isRunning)
      throw new Problem(
        `Parley already runs in this folder (process ${holder.pid}, lock ${file}).`,
        `Stop it with Ctrl-C where it was started, or with: kill ${holder.pid}`,
      )
    if (removeStale(file, found)) staleHolder = holder?.pid ?? 0
  }
  throw new Problem(`The lock ${file} keeps changing hands.`, 'Wait until the other start has finished and try again.')
}

/** The running launcher that holds the lock, `'stale'` for a lock without one, `undefined` for no lock. */
export function lockHolder(file: string): number | 'stale' | undefined {
  const text = readText(file)
  const holder = parseHolder(text)
  if (holder?.isRunning) return holder.pid
  return text === undefined ? undefined : 'stale'
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
    throw error
  }
  const isStale = readText(aside) === stale
  if (!isStale) linkSync(aside, file)
  rmSync(aside, { force: true })
  return isStale
}

function parseHolder(text = '') {
  try {
    const { pid, command } = holderSchema.parse(JSON.parse(text))
    return { pid, isRunning: isAlive(pid) && commandLine(pid) === command }
  } catch {
    return undefined
  }
}
