import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { explainFileError, Problem } from './problem.ts'

/**
 * Makes a folder where there is none and checks that this process may use it.
 * @throws Problem saying what to type if it may not.
 */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw explainFileError(error, folder)
  }
}

/** Free space of the disk that holds a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Below this a database stops in the middle of a write sooner or later. */
const leastFreeBytes = 300e6

/** @throws Problem if the disk that holds the folder is almost full. */
export function requireSpace(folder: string): void {
  const free = freeBytes(folder)
  if (free >= leastFreeBytes) return
  throw new Problem(
    `The disk that holds ${folder} is almost full (${Math.round(free / 1e6)} MB free).`,
    'Free some space (the local stack needs about 1 GB) and start again.',
  )
}
