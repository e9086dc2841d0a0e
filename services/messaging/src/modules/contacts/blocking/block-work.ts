import { errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import { askToBlock } from '../../../whatsapp/block-calls.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConversationsRepository } from '../../inbox/conversations/conversations.service.ts'
import { emitContacts } from '../contact-events.ts'
import { reachedBy } from '../contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../contacts.service.ts'
import { leaseMs } from '../jobs/export-runner.ts'
import { blockKind } from './blocking.service.ts'

const inputSchema = z.object({ contactId: z.string() })

/** Creates the work after a block or unblock: it makes WhatsApp agree, for each number that the contact has written to. */
export function createBlockWork({
  jobs,
  contacts,
  conversationRecords: conversations,
  numbers,
  wakeEvents,
}: {
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'change'>
  readonly conversationRecords: Pick<ConversationsRepository, 'withContact'>
  readonly numbers: Pick<NumbersService, 'access'>
  readonly wakeEvents: (workspaceId: string) => void
}) {
  async function step(job: JobRecord): Promise<JobStep> {
    const { contactId } = inputSchema.parse(job.input)
    const contact = await contacts.read(job, contactId)
    const ended = { checkpoint: null, done: 1, result: {} }
    const phone = contact ? reachedBy(contact) : undefined
    if (!contact || phone === undefined) return ended
    const before = contact.blockedOn ?? []
    const blockedOn = await askAll(job, { ...contact, phone }, before)
    return {
      ...ended,
      write: async (tx) => {
        const now = await contacts.read(job, contactId, { session: tx.session })
        // It was blocked or unblocked meanwhile: the next attempt applies the present state.
        if (now?.version !== contact.version)
          throw errors.serviceUnavailable(new Error('a contact has changed meanwhile'))
        if (blockedOn.join() === before.join()) return
        await contacts.change(job, [{ record: contact, update: { $set: { blockedOn } } }], tx)
        const by = { kind: 'system' as const }
        emitContacts({ scope: job, by }, [{ ...contact, blockedOn, version: contact.version + 1 }], tx)
      },
    }
  }

  /** @returns the numbers for which WhatsApp blocks the contact now. */
  async function askAll(
    scope: WorkspaceScope,
    { id, phone, blocked }: Pick<ContactRecord, 'id' | 'blocked'> & { phone: string },
    before: readonly string[],
  ): Promise<string[]> {
    const usedNumberIds = (await conversations.withContact(scope, id)).map(({ numberId }) => numberId)
    const blockedOn: string[] = []
    for (const numberId of new Set([...usedNumberIds, ...before])) {
      const access = await numbers.access(scope, numberId)
      if (!access) continue
      const agrees = await askToBlock(access, phone, blocked)
      if (blocked ? agrees || before.includes(numberId) : !agrees) blockedOn.push(numberId)
    }
    return blockedOn
  }

  return {
    [blockKind]: async (reference: JobReference): Promise<void> => {
      await runJob(jobs, reference, step, { leaseMs, onProgress: () => wakeEvents(reference.workspaceId) })
    },
  }
}
