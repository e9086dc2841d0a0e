import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** The log file of a component, empty for a new start; the one of the start before stays beside it as `<name>.previous.log`. */
export function rotateLog(folder: string, name: string): string {
  const file = join(folder, `${name}.log`)
  if (existsSync(file)) renameSync(file, join(folder, `${name}.previous.log`))
  return file
}

/** The last lines of a log, at most `count`. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file)
    .subarray(-16 * 1024)
    .toString('utf8')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => line.slice(0, 400))
}
