import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The log file of a component, empty for a new start; the one of the start before stays beside it as `<name>.previous.log`. */
export function rotateLog(folder: string, name: string): string {
  const file = join(folder, `${name}.log`)
  if (existsSync(file)) renameSync(file, join(folder, `${name}.previous.log`))
  return file
}

/** The last lines of a log, at most `count`, read from the last 16 KiB. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return []
  const size = statSync(file).size
  const length = Math.min(size, 16 * 1024)
  const buffer = Buffer.alloc(length)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, buffer, 0, length, size - length)
  } finally {
    closeSync(descriptor)
  }
  return buffer
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => line.slice(0, 400))
}
