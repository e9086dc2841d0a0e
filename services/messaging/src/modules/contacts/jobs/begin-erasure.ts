import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { Caller, ContactStore, Eraser } from '../contact-store.ts'
import { type ContactRecord, restorableMs } from '../contacts.model.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { emitJobChanged } from './begin-job.ts'
import { eraseKind } from './job-inputs.ts'
import { toContactJob } from './to-contact-job.ts'

/** Erasures of deleted contacts that are begun at once. */
const maxBegun = 100
/** A deleted contact that could not be erased can be restored for another day at least; then it is tried again. */
const untilAgainMs = 86_400_000

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: Pick<JobRecords, 'create'>
  readonly contacts: Pick<ContactsRepository, 'read' | 'mergedIds'>
  readonly store: Pick<ContactStore, 'withdraw'>
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/** Begins erasures: of a contact that a person names, and of deleted ones that were not restored. */
export function createBeginErasure({ mongo, jobs, contacts, store, queue, transaction }: Dependencies) {
  /**
   * Starts an erasure; the contact cannot be found from then on. @throws `not_found`, `validation_failed` where the name is
   * another one.
   */
  async function startErase(ctx: Caller, contactId: string, name: string): Promise<ContactJob> {
    const seen = await findErasable(ctx, contactId)
    if (seen.name.trim() !== name) throw errors.validation({ name: `Type the name as it is written: ${seen.name}` })
    const [job, ...merged] = await transaction(async (tx) => begin(ctx, await findErasable(ctx, contactId, tx), tx))
    await queue([job, ...merged].map(({ id }) => ({ id, workspaceId: ctx.workspaceId })))
    return toContactJob(job)
  }

  /** Begins with those whose time to be restored is over: with them go their conversations. */
  async function eraseExpired(now = new Date()): Promise<void> {
    const before = new Date(now.getTime() - restorableMs)
    for (const { id, workspaceId } of await deletedBefore(mongo, before)) {
      const begun = await transaction(async (tx) => {
        const record = await contacts.read({ workspaceId }, id, tx)
        // It was restored, or begun by another worker.
        const isDue = record && !record.live && record.deletedAt && record.deletedAt <= before
        return isDue ? begin({ workspaceId }, record, tx) : []
      })
      await queue(begun.map((job) => ({ id: job.id, workspaceId })))
    }
  }

  /** @returns the contact's job, then those of contacts that were merged into it: they are the same person. */
  async function begin(scope: Eraser, record: ContactRecord, tx: Tx): Promise<[JobRecord, ...JobRecord[]]> {
    await store.withdraw(scope, record, tx)
    const deletedAt = record.deletedAt?.toISOString()
    const create = (contactId: string) =>
      jobs.create(
        scope,
        {
          kind: eraseKind,
          total: 0,
          input: { contactId, ...(deletedAt !== undefined && { deletedAt }) },
          startedBy: scope.userId ?? null,
        },
        { session: tx.session },
      )
    const job = await create(record.id)
    const merged: JobRecord[] = []
    for (const id of await contacts.mergedIds(scope, record.id, tx)) merged.push(await create(id))
    emitJobChanged(job, tx)
    return [job, ...merged]
  }

  async function findErasable(scope: WorkspaceScope, id: string, tx?: Tx): Promise<ContactRecord> {
    const found = isId(id) ? await contacts.read(scope, id, tx) : null
    if (!isErasable(found)) throw errors.notFound('There is no such contact.')
    return found
  }

  return { startErase, eraseExpired, findErasable }
}

/** Returns a new time of deletion for a contact that could not be erased. */
export function deletedAnew(deletedAt: Date): Date {
  const again = new Date(Date.now() - restorableMs + untilAgainMs)
  return deletedAt > again ? deletedAt : again
}

/** Finds deleted contacts of all workspaces, the oldest first. */
async function deletedBefore(mongo: ServiceConnection, before: Date): Promise<JobReference[]> {
  const found = await fullConnection(mongo)
    .collection('contacts')
    .find({ deletedAt: { $lte: before } })
    .sort({ deletedAt: 1 })
    .limit(maxBegun)
    .hint('deleted')
    .project({ workspaceId: 1 })
    .toArray()
  return found.map(({ _id, workspaceId }) => ({ id: String(_id), workspaceId: String(workspaceId) }))
}

/** True where it is in lists, or was deleted: not merged into another one, and not being erased already. */
export const isErasable = (record: ContactRecord | null): record is ContactRecord =>
  record !== null && (record.live || (record.deletedAt !== undefined && !record.merged))
