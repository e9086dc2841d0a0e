import { setTimeout as delay } from 'node:timers/promises'
import { type ImportRecord, importsApi } from '@parley/contracts/imports'
import { z } from 'zod'
import type { OwnServer } from '../messaging/own-server.ts'

const lookEveryMs = 50
const giveUpMs = 3_600_000

const countsSchema = z.record(z.string(), z.number())
const importSchema = z.object({
  id: z.string(),
  state: z.string(),
  problem: z.string().nullable(),
  counts: countsSchema,
  undone: countsSchema.nullable(),
})

/** A step of an import, where it leads, and what it has done with every row of a file of new people. */
const steps = {
  check: { end: 'checked', done: ({ counts }) => counts['created'] },
  run: { end: 'done', done: ({ counts }) => counts['created'] },
  undo: { end: 'undone', done: ({ undone }) => undone?.['removed'] },
} satisfies Record<string, { end: ImportRecord['state']; done: (record: z.infer<typeof importSchema>) => unknown }>
type Step = keyof typeof steps

/** Imports of one workspace, as a page asks for them. */
export function createImportCalls({ call }: Pick<OwnServer, 'call'>, workspaceId: string) {
  async function upload(file: Uint8Array<ArrayBuffer>): Promise<string> {
    const { method, path } = importsApi.create
    return importSchema.parse(await call({ method, path: `${path}?name=people.csv`, body: file, workspaceId })).id
  }

  /**
   * Asks for a step and waits until it has ended.
   * @returns rows a second, from the request to the answer that says so. @throws unless the step was done with each row.
   */
  async function rowsPerSecond(id: string, step: Step, rows: number): Promise<number> {
    const { end, done } = steps[step]
    const begun = performance.now()
    await call({ method: 'POST', path: importsApi[step].path.replace(':id', id), workspaceId })
    for (;;) {
      const record = importSchema.parse(await call({ path: importsApi.read.path.replace(':id', id), workspaceId }))
      const seconds = (performance.now() - begun) / 1000
      if (record.state === end) {
        if (done(record) === rows) return rows / seconds
        throw new Error(`${step} of ${rows} rows came to ${JSON.stringify([record.counts, record.undone])}`)
      }
      if (record.problem !== null || seconds * 1000 > giveUpMs)
        throw new Error(`${step} is ${record.state} after ${seconds.toFixed(0)} s: ${record.problem}`)
      await delay(lookEveryMs)
    }
  }

  return { upload, rowsPerSecond }
}
