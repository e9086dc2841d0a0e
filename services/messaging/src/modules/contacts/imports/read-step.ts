import type { ImportCounts } from '@parley/contracts/contacts/imports'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import { newId } from '@parley/service-kit/data/plain'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MediaStore } from '@parley/service-kit/media/media-store'
import { z } from 'zod'
import type { AttributesService } from '../attributes/attributes.service.ts'
import type { ConsentService } from '../consent/consent.service.ts'
import { type ListConsent, suppressedCategories, thisSecond } from '../consent/list-consent.ts'
import { finding, lineOf, searchKeys } from '../contact-fields.ts'
import type { ContactStore } from '../contact-store.ts'
import type { ContactRecord } from '../contacts.model.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import type { TagsRepository } from '../tags/tags.repository.ts'
import { type Batch, batchesOf } from './batches.ts'
import { type CheckedRow, isProblem, type RowProblem } from './check-row.ts'
import { type Decision, decide, identityOf } from './decide.ts'
import { FileProblem } from './file-text.ts'
import { planOf } from './import-plan.ts'
import type { ImportProgress } from './import-progress.ts'
import type { ImportRecord, StoredRow } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { judgeDigits, unclearOf } from './judge-digits.ts'

/** Tells in a run's job whether workflows start for its contacts. */
const inputSchema = z.object({ startWorkflows: z.boolean().default(false) })
const checkpointSchema = z.object({ rows: z.number(), batch: z.number() })
const start = { rows: 0, batch: 0 }

/** Rows of an import are kept as long as it can be undone, and those of a check as long. */
const rowsKeptMs = 30 * 86_400_000

interface Dependencies {
  readonly imports: Pick<ImportsRepository, 'addRows' | 'dropRows'>
  readonly files: MediaStore
  readonly contacts: Pick<ContactsRepository, 'findBy'>
  readonly tags: TagsRepository
  readonly attributes: Pick<AttributesService, 'ensure' | 'ofColumns'>
  readonly store: ContactStore
  readonly consent: Pick<ListConsent, 'add' | 'suppressions'> & Pick<ConsentService, 'align'>
  readonly progress: ImportProgress
  /** Waits, for some seconds at most, until flows have read what was recorded for them. */
  readonly flowsHaveRead: (workspaceId: string) => Promise<void>
}

/** Reads a file once, batch by batch. */
export interface ReadStep {
  readonly next: (record: ImportRecord, job: JobRecord) => Promise<JobStep>
  readonly close: () => Promise<void>
}

/** @returns opens the file of an import where its job was left. */
export function createReadSteps({
  imports,
  files,
  contacts,
  tags,
  attributes,
  store,
  consent,
  progress,
  flowsHaveRead,
}: Dependencies) {
  return (record: ImportRecord, job: JobRecord): ReadStep => {
    let plan = planOf(record)
    const { startWorkflows } = inputSchema.parse(job.input)
    const caller = { workspaceId: record.workspaceId, actor: { kind: 'user' as const, id: record.startedBy } }
    let checkpoint = checkpointSchema.parse(job.checkpoint ?? start)
    const batches = read(record, checkpoint.rows)
    let upcoming = batches.next()
    let sizeBytes = record.sizeBytes

    async function* read({ fileId = '', format, state }: ImportRecord, skip: number): AsyncGenerator<Batch> {
      const isDetail = ({ target }: { target: string }) => target === 'attribute' || target === 'other_phone'
      const headers = plan.columns.map((column) => (isDetail(column) ? column.header : undefined))
      if (state === 'running') await attributes.ensure(caller, headers, record.id)
      const defined = await attributes.ofColumns(caller, headers)
      const found = await files.read(record, fileId)
      if (!found) throw new FileProblem('The file was deleted. Choose it again.')
      sizeBytes = found.media.sizeBytes
      const columns = plan.columns.map((column, at) => ({ ...column, attribute: defined[at] }))
      plan = { ...plan, columns, readings: await judgeDigits(found.open, format, plan, sizeBytes) }
      yield* batchesOf(found.open, format, plan, { skip, sizeBytes, startsWorkflows: startWorkflows })
    }

    async function next(current: ImportRecord, { id }: JobRecord): Promise<JobStep> {
      const { value: batch } = await upcoming
      if (!batch) throw new Error('a file has no batch after its last one')
      const isRun = current.state === 'running'
      if (checkpoint.batch === 0) await imports.dropRows(current, current.id, isRun ? 'run' : 'check')
      if (startWorkflows) await flowsHaveRead(current.workspaceId)
      const { batch: number } = checkpoint
      checkpoint = { rows: batch.upTo, batch: number + 1 }
      return {
        checkpoint,
        done: batch.rows.length,
        ...(batch.isLast && { result: {} }),
        write: async (tx) => {
          const decisions = await decideAll(current, batch, tx)
          // MongoDB has the data by then, and is storing it.
          if (!batch.isLast) setImmediate(readAhead)
          if (isRun) await apply(current, decisions, tx)
          const rows = decisions.map(({ row }) => row)
          const counts = countsOf(rows)
          const expiresAt = new Date(Date.now() + rowsKeptMs)
          if (rows.length > 0)
            await imports.addRows(
              current,
              { importId: current.id, phase: isRun ? 'run' : 'check', batch: number, counts, rows, expiresAt },
              tx,
            )
          const percent = batch.isLast ? 100 : Math.min(99, Math.floor((batch.bytes / Math.max(1, sizeBytes)) * 100))
          const end = isRun ? ('done' as const) : ('checked' as const)
          const unclear = unclearOf(current, batch)
          const consentRefused = decisions.filter(({ refusesConsent }) => refusesConsent).length
          const by = { percent, counts, consentRefused, ...(unclear && { unclear }), ...(batch.isLast && { end }) }
          await progress.advance(current, { ...job, id }, by, tx)
        },
      }
    }

    let readAheadOf = -1
    /** The next batch is read while this one is stored; a transaction that is tried again does not read another. */
    function readAhead(): void {
      if (readAheadOf === checkpoint.batch) return
      readAheadOf = checkpoint.batch
      upcoming = batches.next()
      upcoming.catch(() => undefined)
    }

    async function decideAll(current: ImportRecord, batch: Batch, tx: Tx): Promise<Decision[]> {
      const sought = batch.rows.flatMap((row) => (isProblem(row) ? [] : [{ phone: row.phone, waUserId: row.waUserId }]))
      const known = await contacts.findBy(current, sought, tx)
      const find = finding(known)
      const foundOf = ({ phone, waUserId }: CheckedRow): ContactRecord[] => {
        const [one, two] = [find({ phone: undefined, waUserId }), find({ phone, waUserId: undefined })]
        return [one ?? [], two && two.id !== one?.id ? two : []].flat()
      }
      /** A number that cannot exist today counts where a contact has exactly it, else by its form of today. */
      const standing = (row: CheckedRow): CheckedRow | undefined => {
        const isStored = find({ phone: row.phone, waUserId: undefined })?.phone === row.phone
        if (!row.unproven || isStored) return row
        return row.unproven.form === undefined ? undefined : { ...row, phone: row.unproven.form }
      }
      const people = batch.rows.flatMap((row): Pick<ContactRecord, 'phone' | 'waUserId'>[] => {
        return isProblem(row) ? [] : [...foundOf(row), identityOf(row)]
      })
      const isSuppressed = await consent.suppressions(current, people, tx.session)
      const at = thisSecond()
      const { id: importId, fileName, startedBy: memberId } = current
      // One row may name a person's phone number, another one their user id: a transaction changes a contact once.
      const lines = new Map<string, number>()
      return batch.rows.map((read) => {
        if (isProblem(read)) return { row: invalid(read) }
        const row = standing(read)
        if (!row) return { row: invalid({ ...read, value: '', reason: '', ...read.unproven }) }
        const found = foundOf(row)
        const suppressed = suppressedCategories({ ...found[0], ...identityOf(row) }, isSuppressed)
        const decision = decide(row, found, plan, { importId, fileName, memberId, at, suppressed })
        const id = decision.change?.record.id
        const before = id === undefined ? undefined : lines.get(id)
        if (before !== undefined) {
          const { line, name, phone = '' } = row
          return {
            row: {
              line,
              name,
              ...identityOf(row),
              phone,
              outcome: 'invalid',
              reason: `The same contact is on line ${before}.`,
            },
          }
        }
        if (id !== undefined) lines.set(id, row.line)
        return decision
      })
    }

    async function apply(current: ImportRecord, decisions: Decision[], tx: Tx): Promise<void> {
      const used = decisions.flatMap(({ added, change }) => added?.tags ?? change?.fields.tags ?? [])
      // Done outside the transaction, which another one that makes the same tag would abort.
      await tags.ensure(current, [...new Set(used)])
      const added = decisions.flatMap((decision, index) => {
        if (!decision.added) return []
        const _id = newId()
        decisions[index] = { ...decision, row: { ...decision.row, contactId: _id } }
        return [{ ...decision.added, ...searchKeys(decision.added), _id }]
      })
      await store.insertQuietly(caller, added, tx)
      const changes = decisions.flatMap(({ change }) => change ?? [])
      await store.saveQuietly(caller, changes, tx)
      const entries = decisions.flatMap(({ row: { contactId, ...row }, change, entries = [] }) =>
        contactId === undefined
          ? []
          : entries.map((entry) => ({ ...entry, contactId, who: { ...change?.record, ...identityOf(row) } })),
      )
      const before = decisions.flatMap(({ change, entries }) => (change && entries?.length ? [change.record] : []))
      await consent.add(caller, entries, before, tx)
      const several = before.filter(({ phone, waPhone }) => waPhone !== undefined || lineOf(phone) !== undefined)
      if (several.length > 0) await consent.align(caller, several, tx)
      if (startWorkflows) await store.startWorkflows(caller, { added: added.map(({ _id }) => _id), changes }, tx)
    }

    return {
      next,
      close: async () => {
        await batches.return(undefined)
      },
    }
  }
}

const invalid = ({ line, name, value, reason }: RowProblem): StoredRow => ({
  line,
  outcome: 'invalid',
  name,
  phone: '',
  value,
  reason,
})

function countsOf(rows: readonly StoredRow[]): ImportCounts {
  const counts = { created: 0, updated: 0, skipped: 0, invalid: 0 }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}
