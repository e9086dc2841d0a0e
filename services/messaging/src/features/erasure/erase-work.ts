import type { Logger } from '@parley/service-kit/core/logger'
import { forgetAnswers } from '@parley/service-kit/data/idempotency-store'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { redactEvents } from '@parley/service-kit/data/redact-events'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import { createEraseCampaignRows } from '../campaigns/person-rows.ts'
import type { Recount } from '../campaigns/recount.ts'
import { createEraseChatExports } from '../chat-exports/erase-chat-exports.ts'
import type { ConsentService } from '../consent/consent.service.ts'
import type { ContactStore } from '../contacts/contact-store.ts'
import type { ContactsRepository } from '../contacts/contacts.service.ts'
import { createEraseImports } from '../contacts/imports/erase-imports.ts'
import { emitJobChanged } from '../contacts/jobs/contact-job-events.ts'
import { createEraseExports } from '../contacts/jobs/erase-exports.ts'
import { createEraseJobs } from '../contacts/jobs/erase-jobs.ts'
import { leaseMs } from '../contacts/jobs/export-work.ts'
import { personInputSchema } from '../contacts/jobs/person-input.ts'
import { createPersonConversations } from '../conversations/person-conversations.ts'
import { createEraseMessages } from './erase-messages.ts'
import { createEraseReceived } from './erase-received.ts'
import { type Person, traceOf } from './person.ts'

const placeSchema = z.object({ step: z.number(), conversationIds: z.array(z.string()) })

/** So often a step is tried; the job itself would give up later. */
const mostAttempts = 5

interface Dependencies {
  readonly logger: Logger
  readonly store: Pick<ContactStore, 'withdraw'>
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'remove'>
  readonly consent: Pick<ConsentService, 'forget'>
  readonly conversationIdsOf: (scope: WorkspaceScope, contactId: string) => Promise<string[]>
  readonly recount: Pick<Recount, 'hint'>
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/**
 * What a worker does to erase a contact. Each step may be done again: whoever follows a killed worker repeats the one that it was
 * in. The contact itself goes after everything that is found by its phone number, which no job record holds.
 */
export function createEraseWork({ mongo, jobs, contacts, consent, recount, transaction, ...deps }: Dependencies) {
  const conversations = createPersonConversations(mongo)
  const eraseMessages = createEraseMessages(mongo, transaction)
  const eraseReceived = createEraseReceived(mongo)
  const eraseExports = createEraseExports(mongo, jobs)
  const eraseChatExports = createEraseChatExports(mongo, jobs)
  const steps: readonly ((job: JobRecord, person: Person) => Promise<void>)[] = [
    eraseReceived,
    eraseMessages,
    createEraseCampaignRows(mongo, recount),
    createEraseImports(mongo),
    (job, person) => eraseExports(job, person, job.createdAt),
    eraseChatExports,
    createEraseJobs(mongo, jobs),
    ({ workspaceId }, { trace }) => forgetAnswers(mongo, workspaceId, trace.anything),
  ]
  const total = steps.length + 2

  async function step(job: JobRecord): Promise<JobStep> {
    const { contactId } = personInputSchema.parse(job.input)
    const place =
      job.checkpoint === null
        ? { step: 0, conversationIds: await deps.conversationIdsOf(job, contactId) }
        : placeSchema.parse(job.checkpoint)
    const next = { checkpoint: { ...place, step: place.step + 1 }, done: 1, total }
    const record = await contacts.read(job, contactId)
    if (!record) return eraseRest(job, { ...place, contactId })
    // One that was merged into another has given its account up.
    const known = { ...record, ...record.merged?.account }
    const work = steps[place.step]
    if (work) {
      await work(job, {
        contactId,
        conversationIds: place.conversationIds,
        trace: traceOf(known),
      })
      return next
    }
    return {
      ...next,
      write: async (tx) => {
        await consent.forget(job, known, tx)
        await contacts.remove(job, contactId, tx)
        const by = { kind: 'user' as const, id: job.startedBy ?? '' }
        tx.emit({ workspaceId: job.workspaceId, by, type: 'contacts.changed', data: { count: 1 } })
      },
    }
  }

  /** Nothing more is found by the phone number now; what came in meanwhile stands in the same conversations. */
  async function eraseRest(
    job: JobRecord,
    { contactId, conversationIds }: { contactId: string; conversationIds: string[] },
  ): Promise<JobStep> {
    await eraseMessages(job, { conversationIds })
    await eraseChatExports(job, { contactId, conversationIds })
    await conversations.remove(job, contactId)
    await redactEvents(mongo, job.workspaceId, [contactId, ...conversationIds])
    return { checkpoint: null, done: 1, result: {}, write: async (tx) => emitJobChanged(job, tx) }
  }

  /** What fails again and again does not leave a contact that nobody finds: people see it again, and start once more. */
  async function stepOrGiveUp(job: JobRecord): Promise<JobStep> {
    try {
      return await step(job)
    } catch (error) {
      const { contactId } = personInputSchema.parse(job.input)
      const record = job.attempts < mostAttempts ? null : await contacts.read(job, contactId)
      if (!record) throw error
      deps.logger.error({ err: error, jobId: job.id }, 'a contact could not be erased')
      const caller = { workspaceId: job.workspaceId, userId: job.startedBy ?? '' }
      return {
        checkpoint: job.checkpoint,
        result: { problem: 'The contact was not erased completely. Start it again.' },
        write: async (tx) => {
          // One that was merged into another is in no list.
          await deps.store.withdraw(caller, record, tx, !record.merged)
          emitJobChanged(job, tx)
        },
      }
    }
  }

  return async (reference: JobReference): Promise<void> => {
    const onProgress = () => deps.wakeEvents(reference.workspaceId)
    await runJob(jobs, reference, stepOrGiveUp, { leaseMs, onProgress })
  }
}
