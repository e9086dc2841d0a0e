import { rmSync, writeFileSync } from 'node:fs'
import { readText } from './files.ts'
import { explainFileError } from './problem.ts'
import { commandLine, endProcess, isAlive } from './processes.ts'

/**
 * Keeps the list of running children on disk, so that a launcher that is killed leaves a trace of what it started: a line for each
 * with process id, name and command, separated by tabs.
 * @param onChange gets the process ids that run now.
 */
export function createChildRecord(file: string, onChange: (pids: readonly number[]) => void = () => {}) {
  const running = new Map<string, { pid: number; line: string }>()
  const save = () => {
    onChange([...running.values()].map(({ pid }) => pid))
    try {
      writeFileSync(file, [...running.values()].map(({ line }) => line).join(''))
    } catch (error) {
      throw explainFileError(error, file)
    }
  }
  return {
    add(name: string, pid: number) {
      running.set(name, { pid, line: `${pid}\t${name}\t${commandLine(pid)}\n` })
      save()
    },
    remove(name: string) {
      running.delete(name)
      save()
    },
    clear: () => rmSync(file, { force: true }),
  }
}
export type ChildRecord = ReturnType<typeof createChildRecord>

/** Finds children of an earlier launcher that still run: same process id and the very same command line. */
export const findLeftovers = (file: string): { pid: number; name: string }[] =>
  (readText(file) ?? '')
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([pid, name = '', command]) => ({ pid: Number(pid), name, command }))
    .filter(({ pid, command }) => pid > 0 && isAlive(pid) && commandLine(pid) === command)

/**
 * Ends what an earlier launcher left running, the last started first, and forgets it.
 * @returns the names of what was ended.
 */
export async function endLeftovers(file: string): Promise<string[]> {
  const leftovers = findLeftovers(file).reverse()
  for (const { pid } of leftovers) await endProcess(pid)
  rmSync(file, { force: true })
  return leftovers.map(({ name }) => name)
}
