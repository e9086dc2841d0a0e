import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from './manifest.ts'

/** A program that can be started. */
export interface Located {
  readonly path: string
  /** The command's own name: `valkey-server`. */
  readonly command: string
  readonly version: string
}

/**
 * Looks for a tool on the PATH.
 * @param note receives a line about a program that is too old or does not run, which is passed over.
 */
export async function locateOnPath(tool: Tool, note: (line: string) => void): Promise<Located | undefined> {
  for (const { command, floor, versionPattern } of tool.programs) {
    const path = findOnPath(command)
    if (!path) continue
    const printed = await promisify(execFile)(path, ['--version'], { timeout: 5000 }).catch(() => undefined)
    const version = versionPattern.exec(printed?.stdout ?? '')?.[1]
    if (version && compareVersions(version, floor) >= 0) return { path, command, version }
    note(
      version
        ? `${path} is version ${version}; Parley needs ${floor} or newer, so another is used.`
        : `${path} does not report its version, so another is used.`,
    )
  }
  return undefined
}

const pathFolders = () => (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')

/** The file that a command's name stands for, in the folders of the PATH where none are given. */
export const findOnPath = (command: string, folders: readonly string[] = pathFolders()): string | undefined =>
  folders.map((folder) => join(folder, command)).find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Compares dotted versions number by number: negative if `a` is older than `b`, 0 if equal, positive if newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const index = [0, 1, 2].find((position) => (left[position] ?? 0) !== (right[position] ?? 0)) ?? 0
  return (left[index] ?? 0) - (right[index] ?? 0)
}

/** The part of a version within which data files stay readable: `6.0.5` → `6.0`. */
export const versionSeries = (version: string): string => version.split('.').slice(0, 2).join('.')
