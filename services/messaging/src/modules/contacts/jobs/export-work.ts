import { parsePhone } from '@parley/phone'
import { AppError } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { MediaStore } from '@parley/service-kit/media/media-store'
import { z } from 'zod'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { ContactPart } from '../contact-query.ts'
import type { ContactRecord } from '../contacts.model.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { emitJobChanged } from './begin-job.ts'
import { exportInputSchema } from './job-inputs.ts'
import { tableFile } from './table-files.ts'
import { maxSheetRows } from './xlsx-file.ts'

/** Milliseconds after which another worker follows a killed one. */
export const leaseMs = 10_000
const reportedEvery = 1000
/** The size of an exported file. */
export const maxExportBytes = 2 * 1024 ** 3

/** Facts known before the file is written. */
const countedSchema = z.object({ attributes: z.array(z.string()) })

/** The export was cancelled, or another worker has it: what was written is thrown away. */
class Stopped extends Error {}

interface Dependencies {
  readonly jobs: JobRecords
  readonly files: Pick<MediaStore, 'save'>
  readonly contacts: Pick<ContactsRepository, 'count' | 'attributeNames' | 'each'>
  readonly lists: Pick<ContactListsService, 'partsOfSelection'>
  readonly wakeEvents: (workspaceId: string) => void
}

/** Work on an export: counts, then writes the file in one run, which the worker that follows a killed one begins anew. */
export function createExportWork({ jobs, files, contacts, lists, wakeEvents }: Dependencies) {
  async function step(job: JobRecord): Promise<JobStep> {
    const { selection, format, timeZone } = exportInputSchema.parse(job.input)
    try {
      const parts = await lists.partsOfSelection(job, selection)
      if (job.checkpoint === null) return await count(job, parts, format === 'xlsx' ? maxSheetRows - 1 : undefined)
      const { attributes } = countedSchema.parse(job.checkpoint)
      const { header, cellsOf } = createExportCells(timeZone, attributes)
      let rows = 0
      async function* table() {
        yield header
        for await (const contact of contacts.each(job, parts)) {
          yield cellsOf(contact)
          rows += 1
          if (rows % reportedEvery === 0) await report(job, rows)
        }
        await report(job, rows)
      }
      const file = await files.save(job, {
        content: tableFile(format, table()),
        accept: 'any',
        limitBytes: maxExportBytes,
      })
      return ended(job, { fileId: file.id, sizeBytes: file.sizeBytes }, rows)
    } catch (error) {
      // Only errors that a person can act on end the job; others are tried again.
      if (error instanceof AppError && error.code === 'not_found')
        return ended(job, { problem: 'The segment was deleted.' })
      throw error
    }
  }

  async function count(job: JobRecord, parts: readonly ContactPart[], most: number | undefined): Promise<JobStep> {
    const total = (await contacts.count(job, parts)) ?? 0
    if (most !== undefined && total > most)
      return ended(job, { problem: 'A workbook holds at most 1,048,575 contacts. Choose CSV.' }, total)
    return { checkpoint: { attributes: await contacts.attributeNames(job, parts) }, total }
  }

  async function report({ id, workspaceId, leaseOwner }: JobRecord, done: number): Promise<void> {
    const { matchedCount } = await jobs
      .collection({ workspaceId })
      .updateOne({ _id: id, ...(leaseOwner !== undefined && { leaseOwner }) }, { $set: { done } })
    if (matchedCount === 0) throw new Stopped()
  }

  const ended = (job: JobRecord, result: Record<string, unknown>, total?: number): JobStep => ({
    checkpoint: job.checkpoint,
    result,
    ...(total !== undefined && { total }),
    write: async (tx) => emitJobChanged(job, tx),
  })

  return async (reference: JobReference): Promise<void> => {
    const onProgress = () => wakeEvents(reference.workspaceId)
    await runJob(jobs, reference, step, { leaseMs, onProgress }).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error
    })
  }
}

/** Writes contacts as rows of a table: the fixed columns, then one for each attribute. */
function createExportCells(timeZone: string, attributes: readonly string[]) {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return {
    header: [
      'Name',
      'Phone',
      'Tags',
      `Last contact (${timeZone})`,
      `Added (${timeZone})`,
      'WhatsApp user id',
      ...attributes,
    ],
    cellsOf(contact: ContactRecord): string[] {
      const values = new Map(contact.attributes.map(({ k, v }) => [k, v]))
      return [
        contact.name,
        contact.phone ? (parsePhone(contact.phone)?.international ?? contact.phone) : '',
        contact.tags.join(', '),
        contact.lastContactAt ? time.format(contact.lastContactAt) : '',
        time.format(contact.createdAt),
        contact.waUserId ?? '',
        ...attributes.map((name) => values.get(name) ?? ''),
      ]
    },
  }
}
