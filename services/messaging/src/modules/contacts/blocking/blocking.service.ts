import type { Contact } from '@parley/contracts/contacts/contacts'
import { errors } from '@parley/service-kit/core/errors'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { memberIdOf } from '@parley/service-kit/http/context'
import { toContact } from '../contact-fields.ts'
import type { Caller, ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.service.ts'

export const blockKind = 'contact-block'

/** Blocks contacts: a workspace sends them nothing, and where WhatsApp blocks them too they cannot write to it either. */
export function createBlocking({
  contacts,
  store,
  jobs,
  queueJobs,
  transaction,
}: {
  readonly contacts: Pick<ContactsRepository, 'readLive' | 'ofSamePhone'>
  readonly store: Pick<ContactStore, 'save'>
  readonly jobs: JobRecords
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}) {
  /** Blocks or unblocks a contact, and others of the same phone with it. WhatsApp is asked after the answer. @throws `not_found`. */
  async function set(ctx: Caller, id: string, blocked: boolean): Promise<Contact> {
    const { contact, started } = await transaction(async (tx) => {
      const record = isId(id) ? await contacts.readLive(ctx, id, tx) : null
      if (!record) throw errors.notFound('There is no such contact.')
      const all = [record, ...(await contacts.ofSamePhone(ctx, [record], tx))]
      const others = all.filter((contact) => contact.blocked !== blocked)
      const saved = await store.save(
        ctx,
        others.map((contact) => ({ record: contact, fields: { blocked } })),
        tx,
      )
      const started: JobReference[] = []
      for (const contact of saved)
        started.push(await jobs.create(ctx, jobFor(contact.id, memberIdOf(ctx) ?? null), { session: tx.session }))
      return { contact: saved.find((contact) => contact.id === id) ?? record, started }
    })
    if (started.length > 0) await queueJobs(started)
    return toContact(contact)
  }

  /** Queues jobs for blocked contacts who have written anyway: from now on WhatsApp can block them. */
  async function haveWritten(scope: WorkspaceScope, contactIds: readonly string[]): Promise<void> {
    for (const id of contactIds) {
      const job = await jobs.create(scope, jobFor(id, null))
      await queueJobs([{ id: job.id, workspaceId: scope.workspaceId }])
    }
  }

  return { set, haveWritten }
}

const jobFor = (contactId: string, startedBy: string | null) => ({
  kind: blockKind,
  total: 1,
  input: { contactId },
  startedBy,
})
