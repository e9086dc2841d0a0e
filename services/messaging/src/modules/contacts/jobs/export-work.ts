import { writtenPhone } from '@parley/phone'
import { AppError } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { MediaStore } from '@parley/service-kit/media/media-store'
import { z } from 'zod'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { ContactPart } from '../contact-query.ts'
import type { ContactRecord } from '../contacts.model.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { createExportRunner, maxExportBytes } from './export-runner.ts'
import { exportInputSchema, exportKind } from './job-inputs.ts'
import { moreThanAllowed } from './selection-approvals.ts'
import { tableFile } from './table-files.ts'
import { maxSheetRows } from './xlsx-file.ts'

const reportedEvery = 1000

/** Facts known before the file is written. */
const countedSchema = z.object({ attributes: z.array(z.string()) })

interface Dependencies {
  readonly files: Pick<MediaStore, 'save' | 'remove'>
  readonly contacts: Pick<ContactsRepository, 'count' | 'attributeNames' | 'iterate'>
  readonly lists: Pick<ContactListsService, 'partsOfSelection'>
}

/** Creates the work on an export of contacts: it counts, then writes the file. */
export function createExportWork({
  files,
  contacts,
  lists,
  ...tools
}: Dependencies & Parameters<typeof createExportRunner>[0]) {
  const { perform, setProgress, ended } = createExportRunner(tools)

  async function step(job: JobRecord): Promise<JobStep> {
    const {
      selection,
      format,
      timeZone,
      upTo,
      maxContacts = Number.POSITIVE_INFINITY,
    } = exportInputSchema.parse(job.input)
    try {
      const selected = await lists.partsOfSelection(job, selection)
      const parts = upTo === undefined ? selected : [...selected, { filter: { _id: { $lte: upTo } } }]
      if (job.checkpoint === null) return await count(job, parts, format === 'xlsx' ? maxSheetRows - 1 : undefined)
      const { attributes } = countedSchema.parse(job.checkpoint)
      const { header, cellsOf } = createExportCells(timeZone, attributes)
      let rows = 0
      async function* table() {
        yield header
        for await (const contact of contacts.iterate(job, parts)) {
          // The selection may have grown since it was allowed.
          if (rows === maxContacts) throw moreThanAllowed()
          yield cellsOf(contact)
          rows += 1
          if (rows % reportedEvery === 0) await setProgress(job, { done: rows })
        }
        await setProgress(job, { done: rows })
      }
      const file = await files.save(job, {
        content: tableFile(format, table()),
        accept: 'any',
        limitBytes: maxExportBytes,
      })
      const result = { fileId: file.id, sizeBytes: file.sizeBytes }
      return ended(job, result, { total: rows, discard: () => files.remove(job, file.id) })
    } catch (error) {
      // Only errors that a person can act on end the job; others are tried again.
      if (error instanceof AppError && error.code === 'not_found')
        return ended(job, { problem: 'The segment was deleted.' })
      if (error instanceof AppError && error.code === 'approval_required') return ended(job, { problem: error.message })
      throw error
    }
  }

  async function count(job: JobRecord, parts: readonly ContactPart[], most: number | undefined): Promise<JobStep> {
    const total = (await contacts.count(job, parts)) ?? 0
    if (most !== undefined && total > most)
      return ended(job, { problem: 'A workbook holds at most 1,048,575 contacts. Choose CSV.' }, { total })
    return { checkpoint: { attributes: await contacts.attributeNames(job, parts) }, total }
  }

  return { [exportKind]: perform(step) }
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
        contact.phone ? writtenPhone(contact.phone) : '',
        contact.tags.join(', '),
        contact.lastContactAt ? time.format(contact.lastContactAt) : '',
        time.format(contact.createdAt),
        contact.waUserId ?? '',
        ...attributes.map((name) => values.get(name) ?? ''),
      ]
    },
  }
}
