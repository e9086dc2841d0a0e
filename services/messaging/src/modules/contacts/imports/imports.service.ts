import type { Readable } from 'node:stream'
import { importLimits, singleTargets } from '@parley/contracts/contacts/import-files'
import type { importsApi, ImportRecord as ShownImport } from '@parley/contracts/contacts/imports'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import type { CountryCode } from '@parley/phone'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { causeOf } from '@parley/service-kit/http/context'
import type { createMediaFiles } from '@parley/service-kit/media/media-files'
import { plainFileName } from '../../../whatsapp/file-name.ts'
import type { Caller } from '../contact-store.ts'
import type { ImportRecord } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { columnsOf } from './open-file.ts'
import { asValidation, fileGone, readAnew, readHead } from './read-head.ts'
import { toImport } from './to-import.ts'

type Changes = EndpointInput<typeof importsApi.update>['body']

const dayMs = 86_400_000
/** Milliseconds for which a file that is not imported is kept: less than what can be undone. */
const draftKeptMs = 7 * dayMs
export const undoableMs = 30 * dayMs
const noCounts = { created: 0, updated: 0, skipped: 0, invalid: 0 }
const noneUndone = { removed: 0, restored: 0, kept: 0 }

/** The kinds of an import's jobs, by the state that they belong to. */
export const kindOf = { checking: 'contacts.check', running: 'contacts.import', undoing: 'contacts.undo' } as const
type WorkingState = keyof typeof kindOf

interface Dependencies {
  readonly imports: ImportsRepository
  readonly files: ReturnType<typeof createMediaFiles>
  readonly jobs: JobRecords
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/** Imports as people start, watch and undo them. */
export function createImportsService({ imports, files, jobs, queueJobs: queue, transaction }: Dependencies) {
  /** @throws `validation_failed` with what is wrong with the file, `body_too_large`. */
  async function create(ctx: Caller, content: Readable, name: string): Promise<ShownImport> {
    const fileName = plainFileName(name)
    const stored = await files.save(ctx, { content, accept: 'any', limitBytes: importLimits.bytes })
    try {
      const found = await files.read(ctx, stored.id)
      if (!found) throw errors.internal()
      const { opened, ...reading } = await readHead(found.open, fileName, stored.sizeBytes)
      const before = reading.headerRow > 0 ? await imports.remembered(ctx, reading.headerKey) : null
      const country = before?.country ?? 'IN'
      const reason = 'As in your last file with these columns.'
      const columns = columnsOf(opened, country as CountryCode).map((column, index) => {
        const target = before?.columns[index]?.target
        return target === undefined || target === column.target ? column : { ...column, target, reason }
      })
      const record = await imports.insert(ctx, {
        fileName,
        sizeBytes: stored.sizeBytes,
        ...reading,
        columns,
        purpose: before?.purpose ?? 'both',
        country,
        tags: [],
        allAgreed: false,
        evidence: '',
        state: 'draft',
        percent: 0,
        counts: noCounts,
        consentRefused: 0,
        digits: null,
        undone: null,
        problem: null,
        startedBy: ctx.actor.id,
        fileId: stored.id,
        stored: 'file',
        batches: 0,
        keptUntil: new Date(Date.now() + draftKeptMs),
      })
      return toImport(record)
    } catch (error) {
      await files.remove(ctx, stored.id)
      throw asValidation(error)
    }
  }

  async function list(scope: WorkspaceScope, query: { limit?: number | undefined; cursor?: string | undefined }) {
    const page = await imports.list(scope, query)
    const shown: PageOf<ShownImport> = { ...page, items: page.items.map(toImport) }
    return shown
  }

  /** @throws `not_found`, also for an import of another workspace. */
  async function find(scope: WorkspaceScope, id: string): Promise<ImportRecord> {
    const record = await imports.read(scope, id)
    if (!record) throw errors.notFound('There is no such import.')
    return record
  }

  /**
   * @throws `not_found`, `wrong_state` once it has begun, `validation_failed` for targets that do not fit the columns, and for
   * a file that cannot be read in this way.
   */
  async function update(
    ctx: Caller,
    id: string,
    { targets, encoding, sheet, ...changes }: Changes,
  ): Promise<ShownImport> {
    const record = await find(ctx, id)
    const { format } = record
    const isRecoded = encoding !== undefined && format.kind !== 'xlsx' && encoding !== format.encoding
    const isMoved = changes.headerRow !== undefined && changes.headerRow !== record.headerRow
    const isOther = sheet !== undefined && format.kind === 'xlsx' && sheet !== format.sheet
    const choices = { encoding, sheet: isOther ? sheet : undefined, ...changes }
    const read = isRecoded || isMoved || isOther ? await readAnew(files, record, choices) : undefined
    const columns = read?.columns ?? record.columns
    if (targets && targets.length !== columns.length)
      throw errors.validation({ targets: `The file has ${columns.length} columns.` })
    const set = {
      ...omitUndefined(changes),
      ...read?.reading,
      columns: columns.map((column, index) => ({ ...column, target: targets?.[index] ?? column.target })),
      state: 'draft' as const,
      problem: null,
      unclear: null,
    }
    const filter = { _id: id, state: { $in: ['draft', 'checked'] as const } }
    const changed = await transaction((tx) => emitChange(ctx, imports.change(ctx, filter, { $set: set }, tx), tx))
    if (!changed) throw errors.wrongState('This import has begun already.')
    return toImport(changed)
  }

  /** Hands it to a worker. */
  async function begin(
    ctx: Caller,
    id: string,
    { to, from, input }: { to: WorkingState; from: readonly ImportRecord['state'][]; input?: object },
  ) {
    const record = await find(ctx, id)
    const problem = problemOf(record, to)
    if (problem !== undefined) throw errors.wrongState(problem)
    const { changed, job } = await transaction(async (tx) => {
      const kind = kindOf[to]
      const created = await jobs.create(
        ctx,
        { kind, total: 0, input: { importId: id, ...input }, startedBy: ctx.actor.id },
        { session: tx.session },
      )
      const set = { state: to, jobId: created.id, percent: 0, problem: null }
      const kept = to === 'running' ? { keptUntil: new Date(Date.now() + undoableMs) } : {}
      // An undo that has failed continues with the rows that are left.
      const fresh =
        to === 'undoing'
          ? { undone: record.undone ?? noneUndone }
          : { counts: noCounts, consentRefused: 0, batches: 0, unclear: null }
      const filter = { _id: id, state: { $in: from } }
      const started = await emitChange(
        ctx,
        imports.change(ctx, filter, { $set: { ...set, ...kept, ...fresh } }, tx),
        tx,
      )
      if (!started) throw errors.wrongState(wrongStates[to])
      return { changed: started, job: created }
    })
    await queue([{ id: job.id, workspaceId: ctx.workspaceId }])
    return toImport(changed)
  }

  /** Cancels an import; what was imported until then stays. @throws `wrong_state` where nothing is under way. */
  async function cancel(ctx: Caller, id: string): Promise<ShownImport> {
    const { state } = await find(ctx, id)
    const to = state === 'checking' ? ('draft' as const) : ('stopped' as const)
    if (state !== 'checking' && state !== 'running') throw errors.wrongState('Nothing is under way.')
    const kept = to === 'stopped' ? { keptUntil: new Date(Date.now() + undoableMs) } : {}
    const changed = await transaction((tx) =>
      emitChange(ctx, imports.change(ctx, { _id: id, state }, { $set: { state: to, ...kept } }, tx), tx),
    )
    if (!changed) throw errors.wrongState('It has ended already.')
    return toImport(changed)
  }

  /** Deletes the files of imports whose time is over, with what is shown of their first rows, and what uploads that broke off have left. */
  async function sweep(now = new Date()): Promise<void> {
    for (const { id, workspaceId, fileId = '' } of await imports.expired(now)) {
      await files.remove({ workspaceId }, fileId)
      const $unset = { fileId: 1, stored: 1, keptUntil: 1, firstRows: 1, encodings: 1, unclear: 1 } as const
      await imports.change({ workspaceId }, { _id: id }, { $unset, $set: { 'columns.$[].samples': [] } })
    }
    await files.removeUnfinished(now)
  }

  async function emitChange(ctx: Caller, change: Promise<ImportRecord | null>, tx: Tx): Promise<ImportRecord | null> {
    const changed = await change
    if (changed) {
      const by = causeOf(ctx)
      tx.emit({ workspaceId: ctx.workspaceId, by, type: 'import.changed', data: { importId: changed.id } })
    }
    return changed
  }

  return {
    create,
    list,
    find,
    fileNames: imports.fileNames,
    read: async (scope: WorkspaceScope, id: string) => toImport(await find(scope, id)),
    update,
    check: (ctx: Caller, id: string) => begin(ctx, id, { to: 'checking', from: ['draft', 'checked'] }),
    run: (ctx: Caller, id: string, startWorkflows: boolean) =>
      begin(ctx, id, { to: 'running', from: ['checked'], input: { startWorkflows } }),
    undo: (ctx: Caller, id: string) => begin(ctx, id, { to: 'undoing', from: ['done', 'stopped', 'failed'] }),
    cancel,
    sweep,
  }
}

const wrongStates: Record<WorkingState, string> = {
  checking: 'This import has begun already.',
  running: 'Check the file first.',
  undoing: 'There is nothing to undo.',
}

/** Returns the reason why it cannot begin; undefined where it can. */
function problemOf(record: ImportRecord, to: WorkingState): string | undefined {
  const { fileId, keptUntil, columns, purpose, allAgreed, evidence } = record
  if (!keptUntil || keptUntil.getTime() < Date.now())
    return to === 'undoing' ? 'An import can be undone for 30 days.' : fileGone
  if (to === 'undoing') return undefined
  if (!fileId) return fileGone
  const targets = columns.map(({ target }) => target)
  if (!targets.includes('phone') && !targets.includes('user_id')) return 'Choose the column for the phone number.'
  if (!targets.includes('name') && purpose !== 'update') return 'Choose the column for the name.'
  if (allAgreed && targets.includes('consent')) return 'Leave the consent column out, or let it say who has agreed.'
  if (allAgreed && evidence === '') return 'Enter how and when these people agreed.'
  const doubled = singleTargets.find((target) => targets.filter((one) => one === target).length > 1)
  return doubled && `Choose one column for ${doubled.replace('_', ' ')}.`
}
