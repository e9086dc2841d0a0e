import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const lineSchema = z.object({ c: z.string(), id: z.string(), v: z.unknown() })

/** Records of one kind by id. A record is written before `put` returns. */
export interface Records<T> {
  get(id: string): T | undefined
  put(id: string, value: T): T
  remove(id: string): void
  values(): IterableIterator<T>
  readonly size: number
}

/**
 * The simulator's memory: maps in the process, each change a line in a file, so that a killed simulator still knows what it
 * has accepted. The file is rewritten without what is outdated when it is opened.
 * @param file nothing is kept where it is absent.
 */
export function openJournal(file: string | undefined) {
  const collections = new Map<string, Map<string, unknown>>()
  const collection = (name: string) => {
    const known = collections.get(name) ?? new Map<string, unknown>()
    collections.set(name, known)
    return known
  }
  const descriptor = file === undefined ? undefined : openFile(file)

  function openFile(path: string): number {
    mkdirSync(dirname(path), { recursive: true })
    if (existsSync(path)) for (const line of readFileSync(path, 'utf8').split('\n')) replay(line)
    const rewritten = [...collections].flatMap(([c, records]) =>
      [...records].map(([id, v]) => `${JSON.stringify({ c, id, v })}\n`),
    )
    writeFileSync(`${path}.new`, rewritten.join(''))
    renameSync(`${path}.new`, path)
    return openSync(path, 'a')
  }

  /** Applies a stored line. A process that was killed while writing has left half a line at the end, which is dropped. */
  function replay(line: string): void {
    const entry = parseLine(line)
    if (!entry) return
    if (entry.v === null) collection(entry.c).delete(entry.id)
    else collection(entry.c).set(entry.id, entry.v)
  }

  const write = (c: string, id: string, v: unknown) => {
    if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify({ c, id, v })}\n`)
  }

  /** @param schema of the records; older or damaged ones are left out. */
  function records<T>(name: string, schema: z.ZodType<T>): Records<T> {
    const stored = new Map<string, T>()
    for (const [id, value] of collection(name)) {
      const parsed = schema.safeParse(value)
      if (parsed.success) stored.set(id, parsed.data)
    }
    collections.delete(name)
    return {
      get: (id) => stored.get(id),
      put: (id, value) => {
        stored.set(id, value)
        write(name, id, value)
        return value
      },
      remove: (id) => {
        if (stored.delete(id)) write(name, id, null)
      },
      values: () => stored.values(),
      get size() {
        return stored.size
      },
    }
  }

  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor)
  }
  return { records, close }
}
export type Journal = ReturnType<typeof openJournal>

function parseLine(line: string): z.infer<typeof lineSchema> | undefined {
  if (line === '') return undefined
  try {
    return lineSchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
