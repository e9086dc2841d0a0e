import { errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { Tx } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import { actorOf } from '../../../platform/actor-of.ts'
import type { ContactsRepository } from '../../contacts/contacts.service.ts'
import { leaseMs } from '../../contacts/jobs/export-runner.ts'
import { createMovedMessages } from '../../inbox/messages/moved-messages.ts'
import { createMoveSearchTerms } from '../../inbox/search/person-search-terms.ts'

export const moveKind = 'contact-merge'

const moveInputSchema = z.object({
  /** Contacts. */
  from: z.string(),
  to: z.string(),
  /** True where a merge is undone: only the messages that it had moved go back. */
  back: z.boolean(),
  /** Conversations. */
  pairs: z.array(z.object({ from: z.string(), to: z.string() })),
})
export type MoveInput = z.infer<typeof moveInputSchema>
const checkpointSchema = z.object({ pair: z.number() })

const pageSize = 500

/** Worker's part of a merge: moves the messages of the other contact into the threads of the kept one, or back. */
export function createMoveMessages({
  mongo,
  jobs,
  contacts,
  wakeEvents,
}: {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'holdMerged'>
  readonly wakeEvents: (workspaceId: string) => void
}) {
  const messages = createMovedMessages(mongo)
  const moveSearchTerms = createMoveSearchTerms(mongo)

  async function step(job: JobRecord): Promise<JobStep> {
    const { from, to, back, pairs } = moveInputSchema.parse(job.input)
    const { pair: index } = checkpointSchema.parse(job.checkpoint ?? { pair: 0 })
    const pair = pairs[index]
    const [contact, otherId] = [back ? from : to, back ? to : from]
    const [kept, other] = [await contacts.read(job, contact), await contacts.read(job, otherId)]
    const isErased = !other || !kept || (!kept.live && !kept.deletedAt && !kept.merged)
    // The merge was undone, repeated or erased meanwhile: another job has the messages now.
    if (!pair || isErased || (other.merged?.id === contact) === back)
      return { checkpoint: { pair: index }, result: {}, write: async (tx) => emitChange(job, tx) }
    const ids = await messages.idsIn(job, pair.from, pageSize, back ? pair.to : undefined)
    return {
      checkpoint: { pair: ids.length < pageSize ? index + 1 : index },
      done: ids.length,
      write: async (tx) => {
        if (!(await contacts.holdMerged(job, otherId, back ? undefined : contact, tx)))
          throw errors.serviceUnavailable(new Error('a merge was taken back meanwhile'))
        const places = {
          from: { conversationId: pair.from, contactId: from },
          to: { conversationId: pair.to, contactId: to },
        }
        await messages.move(job, ids, { ...places, back }, tx)
        await moveSearchTerms(job, ids, pair.to, tx)
      },
    }
  }

  function emitChange({ workspaceId, startedBy, input }: JobRecord, tx: Pick<Tx, 'emit'>): void {
    const { from, to, back } = moveInputSchema.parse(input)
    const [contactId, otherId] = back ? [from, to] : [to, from]
    const data = { contactId, otherId, ...(back && { back }) }
    tx.emit({ workspaceId, by: actorOf(startedBy), type: 'contact.merged', contactId, data })
  }

  return {
    [moveKind]: async (reference: JobReference): Promise<void> => {
      await runJob(jobs, reference, step, { leaseMs, onProgress: () => wakeEvents(reference.workspaceId) })
    },
  }
}
