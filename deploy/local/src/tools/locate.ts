import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from './manifest.ts'
import { compareVersions } from './versions.ts'

/** A program that can be started, and where it came from. */
export interface Located {
  readonly path: string
  /** The command's own name: `valkey-server`. */
  readonly command: string
  readonly version: string
  readonly origin: 'path' | 'obtained'
}

/**
 * Looks for a tool on the PATH.
 * @param note told of a program that is too old or does not run, which is passed over.
 */
export async function locateOnPath(tool: Tool, note: (line: string) => void): Promise<Located | undefined> {
  for (const program of tool.programs) {
    const path = findOnPath(program.command)
    if (!path) continue
    const version = await programVersion(path, program.versionPattern)
    if (version && compareVersions(version, program.floor) >= 0)
      return { path, command: program.command, version, origin: 'path' }
    note(
      version
        ? `${path} is version ${version}; Parley needs ${program.floor} or newer, so another is used.`
        : `${path} does not note its version, so another is used.`,
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

async function programVersion(path: string, pattern: RegExp): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5000 })
    return pattern.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}
