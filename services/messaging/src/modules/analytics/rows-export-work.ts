import type { FigureRow } from '@parley/contracts/platform/figure-rows'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { JobStep } from '@parley/service-kit/data/run-job'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Caller } from '../contacts/contact-store.ts'
import { createBeginJob } from '../contacts/jobs/begin-job.ts'
import { createExportRunner, maxExportBytes } from '../contacts/jobs/export-runner.ts'
import { rowsExportKind, rowsInputSchema } from '../contacts/jobs/rows-export-input.ts'
import { tableFile } from '../contacts/jobs/table-files.ts'
import { maxSheetRows } from '../contacts/jobs/xlsx-file.ts'
import type { createFigureRows } from './figure-rows.service.ts'

const pageSize = 100

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly readFigureRows: ReturnType<typeof createFigureRows>
}

/** Starts such an export for a person. @throws as the rows do where they could not be read. */
export function createStartRowsExport({
  readFigureRows,
  queueJobs,
  ...tools
}: Pick<Dependencies, 'readFigureRows'> &
  Omit<Parameters<typeof createBeginJob>[0], 'queue'> & {
    readonly queueJobs: Parameters<typeof createBeginJob>[0]['queue']
  }) {
  const { begin } = createBeginJob({ ...tools, queue: queueJobs })
  return async (ctx: Caller, input: Parameters<typeof readFigureRows>[1]) => {
    await readFigureRows(ctx, { ...input, limit: 1 })
    return begin(ctx, { kind: rowsExportKind, total: 0, input })
  }
}

/** Work on an export of the rows behind a figure: writes its file. */
export function createRowsExportWork({
  mongo,
  readFigureRows: readRows,
  ...tools
}: Dependencies & Parameters<typeof createExportRunner>[0]) {
  const { perform, setProgress, ended } = createExportRunner(tools)
  const files = createMediaFiles(mongo, 'exportFiles')

  async function step(job: JobRecord): Promise<JobStep> {
    const { format, ...question } = rowsInputSchema.parse(job.input)
    const first = await readRows(job, { ...question, limit: 1 })
    const total = Math.max(0, first.figure - first.sample - first.erased)
    if (job.checkpoint === null) return { checkpoint: { begun: true }, total }
    if (format === 'xlsx' && total >= maxSheetRows)
      return ended(job, { problem: 'A workbook holds at most 1,048,575 rows. Choose CSV.' })
    const cellsOf = createCells(first.timeZone)
    let rows = 0
    async function* table() {
      yield headerIn(first.timeZone)
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await readRows(job, { ...question, limit: pageSize, cursor })
        for (const row of page.items) yield cellsOf(row)
        rows += page.items.length
        cursor = page.nextCursor
        await setProgress(job, { done: rows })
      }
    }
    const content = tableFile(format, table())
    const file = await files.save(job, { content, accept: 'any', limitBytes: maxExportBytes })
    const result = { fileId: file.id, sizeBytes: file.sizeBytes }
    return ended(job, result, { total: rows, discard: () => files.remove(job, file.id) })
  }

  return { [rowsExportKind]: perform(step) }
}

const headerIn = (timeZone: string): string[] => [
  `Time (${timeZone})`,
  'Kind',
  'State',
  `Ended (${timeZone})`,
  'Contact',
  'By',
  'Conversation id',
  'Id',
  'Sample data',
  'Comment',
]

function createCells(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const time = (at: string | null) => (at === null ? '' : format.format(new Date(at)))
  return (row: FigureRow): string[] => {
    const cells = (
      kind: string,
      state: string,
      ended: string | null,
      by: string,
      more: { sample?: string; comment?: string } = {},
    ) => [
      ...[time(row.at), kind, state, time(ended), row.contactName ?? ''],
      ...[by, row.conversationId ?? '', row.id, more.sample ?? '', more.comment ?? ''],
    ]
    if (row.kind === 'bot') return cells('bot', row.resolved ? 'resolved' : '', row.endedAt, `bot ${row.botId}`)
    if (row.kind === 'closure') return cells('closure', 'closed', null, `${row.by.kind} ${row.by.id}`)
    if (row.kind === 'rating')
      return cells('rating', String(row.score), null, `member ${row.by?.id ?? ''}`, { comment: row.comment ?? '' })
    const by = row.by ? `${row.by.kind} ${row.by.id}` : ''
    if (row.kind === 'wait') return cells('wait', row.state, row.answeredAt, by)
    const state = row.direction === 'inbound' ? 'received' : (row.status ?? '')
    return cells(row.direction, state, null, by, { sample: row.sample ? 'yes' : '' })
  }
}
