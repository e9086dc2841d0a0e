import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { z } from 'zod'
import { errorCode, explainFileError, Problem } from './problem.ts'

/**
 * Reads a JSON file of ours.
 * @returns `undefined` where there is none.
 * @throws Problem if it cannot be read or does not hold what the schema says.
 */
export function readJson<T extends z.ZodType>(file: string, schema: T): z.infer<T> | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw explainFileError(error, file)
  }
  const result = schema.safeParse(parse(text))
  if (result.success) return result.data
  throw new Problem(`${file} is damaged.`, 'Restore it, or start empty with: npm start -- --fresh')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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
