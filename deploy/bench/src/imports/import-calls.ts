import { importLimits } from '@parley/contracts/contacts/import-files'
import { type ImportRecord, importsApi } from '@parley/contracts/contacts/imports'
import { z } from 'zod'
import type { OwnServer } from '../messaging/own-server.ts'
import { until } from '../program.ts'
import { personAt } from '../seed/people.ts'

const cities = ['Pune', 'Delhi', 'Chennai', 'Kochi', 'Jaipur']
const importSchema = z.object({
  id: z.string(),
  state: z.string(),
  problem: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
  undone: z.record(z.string(), z.number()).nullable(),
})

/** A step of an import, where it leads, and what it has done with every row of a file of new people. */
const steps = {
  check: { end: 'checked', done: ({ counts }) => counts['created'] },
  run: { end: 'done', done: ({ counts }) => counts['created'] },
  undo: { end: 'undone', done: ({ undone }) => undone?.['removed'] },
} satisfies Record<string, { end: ImportRecord['state']; done: (record: z.infer<typeof importSchema>) => unknown }>

/** Imports of one workspace, as a page asks for them. */
export function createImportCalls({ call }: Pick<OwnServer, 'call'>, workspaceId: string) {
  /** Uploads a file of people. @param from the place of the first one, as {@link peopleFile} takes it. */
  async function upload(from: number, count: number): Promise<string> {
    const { method, path } = importsApi.create
    const body = peopleFile(from, count)
    return importSchema.parse(await call({ method, path: `${path}?name=people.csv`, body, workspaceId })).id
  }

  /**
   * Asks for a step and waits until it has ended.
   * @returns rows a second, from the request to the answer that says so. @throws unless the step was done with each row.
   */
  async function rowsPerSecond(id: string, step: keyof typeof steps, rows: number): Promise<number> {
    const { end, done } = steps[step]
    const begun = performance.now()
    await call({ method: 'POST', path: importsApi[step].path.replace(':id', id), workspaceId })
    const hasEnded = async () => {
      const record = importSchema.parse(await call({ path: importsApi.read.path.replace(':id', id), workspaceId }))
      if (record.problem !== null) throw new Error(`${step} is ${record.state}: ${record.problem}`)
      if (record.state === end && done(record) !== rows)
        throw new Error(`${step} of ${rows} rows came to ${JSON.stringify([record.counts, record.undone])}`)
      return record.state === end
    }
    await until(`${step} has ended`, hasEnded, { limitMs: 3_600_000 })
    return rows / ((performance.now() - begun) / 1000)
  }

  return { upload, rowsPerSecond }
}

/**
 * Returns a CSV file of people as a shop would export it.
 * @param from index of the first person: a person seeded with the same index has the same phone number.
 * @throws where it is larger than one import may be.
 */
function peopleFile(from: number, count: number): Uint8Array<ArrayBuffer> {
  const now = new Date()
  const lines = Array.from({ length: count }, (_, index) => {
    const { name, phone, tags } = personAt(from + index, now)
    return `${name},${phone},"${tags.join(',')}",${cities[(from + index) % cities.length]}\n`
  })
  const file = new TextEncoder().encode(`Name,Phone,Tags,City\n${lines.join('')}`)
  if (count > importLimits.rows || file.length > importLimits.bytes)
    throw new Error(`${count} rows of ${file.length} bytes are more than one import may have`)
  return file
}
