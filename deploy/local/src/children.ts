import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { errorCode, explainFileError } from './problem.ts'
import { commandLine, endProcess, isAlive } from './processes.ts'

const childSchema = z.object({ pid: z.coerce.number().int().positive(), name: z.string(), command: z.string() })
type Child = z.infer<typeof childSchema>

/**
 * Keeps the list of running children on disk, so that a launcher that is killed leaves a trace of what it started.
 * @param onChange gets the process ids that run now.
 */
export function createChildRecord(file: string, onChange: (pids: readonly number[]) => void = () => {}) {
  const running = new Map<string, Child>()
  const save = () => {
    onChange([...running.values()].map((child) => child.pid))
    const lines = [...running.values()].map((child) => `${child.pid}\t${child.name}\t${child.command}\n`)
    try {
      writeFileSync(file, lines.join(''))
    } catch (error) {
      throw explainFileError(error, file)
    }
  }
  return {
    add(name: string, pid: number) {
      running.set(name, { pid, name, command: commandLine(pid) })
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

/** Children of an earlier launcher that still run: same process id and the very same command line. */
export function findLeftovers(file: string): Child[] {
  return readRecord(file).filter((child) => isAlive(child.pid) && commandLine(child.pid) === child.command)
}

/**
 * Ends what an earlier launcher left running, the last started first, and forgets it.
 * @returns the names of what was ended.
 */
export async function endLeftovers(file: string): Promise<string[]> {
  const leftovers = findLeftovers(file).reverse()
  for (const child of leftovers) await endProcess(child.pid)
  rmSync(file, { force: true })
  return leftovers.map((child) => child.name)
}

function readRecord(file: string): Child[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw explainFileError(error, file)
  }
  return text
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([pid, name, command]) => childSchema.safeParse({ pid, name, command }))
    .flatMap((result) => (result.success ? [result.data] : []))
}
