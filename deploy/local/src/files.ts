import {
  accessSync,
  constants,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import type { z } from 'zod'
import { errorCode, explainFileError, Problem } from './problem.ts'
import { isAlive } from './processes.ts'

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

/** Returns the free space of the disk that holds a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** A text file of ours, `undefined` where there is none. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw explainFileError(error, file)
  }
}

/**
 * Reads a JSON file of ours.
 * @returns `undefined` where there is none.
 * @throws Problem if it cannot be read or does not hold what the schema says.
 */
export function readJson<T extends z.ZodType>(file: string, schema: T): z.infer<T> | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new Problem(`${file} is damaged.`, 'Restore it, or start empty with: npm start -- --fresh')
  }
}

/** Writes a JSON file whole or not at all. `mode` is the file's permission bits, 0644 where absent. */
export function writeJson(file: string, value: unknown, mode = 0o644): void {
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode })
    renameSync(draft, file)
  } catch (error) {
    throw explainFileError(error, file)
  }
}

/**
 * A start that is ended half-way leaves its draft, `<path>.<process id>`, behind.
 * @returns whether there were any.
 */
export function removeDrafts(path: string): boolean {
  const left = globSync(`${path}.*`).filter((draft) => {
    const pid = draft.slice(path.length + 1)
    return /^\d+$/.test(pid) && !isAlive(Number(pid))
  })
  for (const draft of left) rmSync(draft, { recursive: true, force: true })
  return left.length > 0
}
