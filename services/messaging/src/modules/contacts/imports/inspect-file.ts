import { ChildFailure, runInChild } from '@parley/service-kit/core/run-in-child'
import { z } from 'zod'
import { FileProblem, type OpenFile } from './file-text.ts'
import { type OpenedFile, openFile, type ReadingChoices } from './open-file.ts'

interface NamedFile {
  readonly name: string
  readonly sizeBytes: number
  readonly choices?: ReadingChoices | undefined
}

const shapeSchema = z.object({ format: z.object({ kind: z.string() }), head: z.array(z.unknown()) })
const openedSchema = z.custom<OpenedFile>((value) => shapeSchema.safeParse(value).success)

const limits = { maxMemoryMib: 256, maxCpuMs: 20_000, timeoutMs: 180_000 } as const
/** The beginning of a cell is enough to guess by. */
const maxShownLength = 1000

/**
 * Takes the first look at an uploaded file, in a process of its own: what it takes or breaks affects no one else.
 * @throws FileProblem where there is nothing in it to import, or it cannot be read within memory and time.
 */
export async function inspectFile(open: OpenFile, file: NamedFile): Promise<OpenedFile> {
  const module = new URL(import.meta.url)
  try {
    return await runInChild({ module, input: file, output: openedSchema, source: open, ...limits })
  } catch (error) {
    if (!(error instanceof ChildFailure)) throw error
    if (error.reason !== 'thrown')
      throw new FileProblem(
        'This file is too large to be read. Save the columns that you need as CSV and choose that file.',
      )
    throw error.thrownName === 'FileProblem' ? new FileProblem(error.message) : error
  }
}

/** The work of the child process. */
export default async function look({ name, sizeBytes, choices }: NamedFile, open: OpenFile): Promise<OpenedFile> {
  const opened = await openFile(open, name, sizeBytes, choices)
  const head = opened.head.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.slice(0, maxShownLength)),
  }))
  return { ...opened, head }
}
