import type { Logger } from '@parley/service-kit/core/logger'
import { forgetAnswers } from '@parley/service-kit/data/idempotency-store'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { redactEvents } from '@parley/service-kit/data/redact-events'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import { actorOf } from '../../../platform/actor-of.ts'
import type { AddNotifications } from '../../../platform/notification.ts'
import { type Identity, type Person, traceOf } from '../../../platform/person.ts'
import { createEraseApprovals } from '../../approvals/erase-approvals.ts'
import { createEraseCampaignRows } from '../../campaigns/recipients/person-rows.ts'
import type { Recount } from '../../campaigns/run/recount.ts'
import { createRemoveAccountEvents } from '../../channel/account-events/person-account-events.ts'
import { createRemoveEvents } from '../../channel/ingest/person-events.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConsentService } from '../../contacts/consent/consent.service.ts'
import { isKnownBy } from '../../contacts/contact-fields.ts'
import type { ContactStore } from '../../contacts/contact-store.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import { createEraseImports } from '../../contacts/imports/erase-imports.ts'
import { deletedAnew } from '../../contacts/jobs/begin-erasure.ts'
import { emitJobChanged } from '../../contacts/jobs/begin-job.ts'
import { createEraseExports, createEraseWorkspaceExports } from '../../contacts/jobs/erase-exports.ts'
import { createEraseJobs } from '../../contacts/jobs/erase-jobs.ts'
import { leaseMs } from '../../contacts/jobs/export-runner.ts'
import { eraseInputSchema, eraseKind, mentionsSchema } from '../../contacts/jobs/job-inputs.ts'
import { createRemoveOrphanUpdates } from '../../inbound/person-orphan-updates.ts'
import { createPersonConversations } from '../../inbox/conversations/person-conversations.ts'
import { createForgetNotifications } from '../../notifications/person-notifications.ts'
import { createEraseChatExports } from '../chat-exports/erase-chat-exports.ts'
import { createEraseMessages } from './erase-messages.ts'
import { createMentions } from './mentions.ts'

const checkpointSchema = z.object({
  /** Steps that are behind it. */
  after: z.number(),
  conversationIds: z.array(z.string()),
  mentions: mentionsSchema,
})

/** Maximum attempts of a step; the job itself would give up later. */
const maxAttempts = 5

interface Dependencies {
  readonly logger: Logger
  readonly store: Pick<ContactStore, 'putBack'>
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'findBy' | 'addFormer' | 'remove'>
  readonly consent: Pick<ConsentService, 'forget'>
  readonly numbers: Pick<NumbersService, 'allIds'>
  readonly recount: Pick<Recount, 'hint'>
  readonly wakeEvents: (workspaceId: string) => void
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
}

/**
 * Erases a contact in a worker. Each step may be done again: the successor of a killed worker repeats the current step, and an
 * erasure that is started over does what the earlier one has left. First, names and numbers of earlier days are noted at the
 * contact. Steps that read files, which may fail, come before what a person would miss. The contact itself goes after everything
 * that is found by its names and numbers, which no job record holds.
 */
export function createEraseWork({
  logger,
  store,
  mongo,
  jobs,
  contacts,
  consent,
  numbers,
  recount,
  wakeEvents,
  addNotifications,
  transaction,
}: Dependencies) {
  const conversations = createPersonConversations(mongo)
  const forgetNotifications = createForgetNotifications(mongo)
  const eraseMessages = createEraseMessages(mongo, transaction)
  const eraseExports = createEraseExports(mongo, jobs)
  const eraseChatExports = createEraseChatExports(mongo, jobs)
  const eraseWorkspaceExports = createEraseWorkspaceExports(mongo, jobs, { addNotifications, transaction })
  const imports = createEraseImports(mongo)
  const mentionsOf = createMentions(mongo)
  const steps: readonly ((job: JobRecord, person: Person) => Promise<unknown>)[] = [
    async (job, { contactId }) => {
      const former = await imports.identitiesOf(job, contactId)
      if (former.length > 0) await contacts.addFormer(job, contactId, former)
    },
    imports.erase,
    (job, person) => eraseExports(job, person, job.createdAt),
    eraseChatExports,
    createEraseJobs(mongo, jobs),
    createEraseApprovals(mongo),
    createEraseReceived(mongo),
    createEraseCampaignRows(mongo, recount),
    eraseMessages,
  ]
  const total = steps.length + 2

  async function step(job: JobRecord): Promise<JobStep> {
    const { contactId } = eraseInputSchema.parse(job.input)
    const checkpoint = checkpointSchema.safeParse(job.checkpoint).data ?? {
      after: 0,
      conversationIds: await conversations.idsOf(job, contactId, await numbers.allIds(job)),
      mentions: [],
    }
    const record = await contacts.read(job, contactId)
    if (!record) return eraseRest(job, { ...checkpoint, contactId })
    const person = { contactId, conversationIds: checkpoint.conversationIds, trace: await traceFor(job, record) }
    const next = { ...checkpoint, after: checkpoint.after + 1 }
    const work = steps[checkpoint.after]
    if (work) {
      await work(job, person)
      return { checkpoint: next, done: 1, total }
    }
    const { workspaceId } = job
    const ids = [contactId, ...checkpoint.conversationIds]
    await forgetAnswers(mongo, workspaceId, new RegExp([person.trace.anything.source, ...ids].join('|'), 'iu'))
    return {
      checkpoint: { ...next, mentions: await mentionsOf(job, person) },
      done: 1,
      total,
      write: async (tx) => {
        // One that was merged into another has given its account up.
        await consent.forget(job, { ...record, ...record.merged?.account }, tx)
        await contacts.remove(job, contactId, tx)
        const by = actorOf(job.startedBy)
        const { conversationIds } = checkpoint
        tx.emit({ workspaceId, by, type: 'contact.erased', contactId, data: { contactId, conversationIds } })
        tx.emit({ workspaceId, by, type: 'contacts.changed', data: { count: 1 } })
      },
    }
  }

  /** Returns all that a contact is and was known by, except what belongs to another contact now. */
  async function traceFor(scope: WorkspaceScope, record: ContactRecord) {
    const { name, phone, waPhone, waUserId, username, former = [], merged } = record
    const before: Identity[] = [...former, ...(merged ? [merged.account, merged.before] : [])]
    const found = await contacts.findBy(
      scope,
      [record, ...before].map((one) => ({ phone: one.phone, waUserId: one.waUserId })),
    )
    const others = found.filter(({ id }) => id !== record.id)
    const isOthers = (key: 'phone' | 'waUserId', value: string | undefined) =>
      value !== undefined && others.some((other) => isKnownBy(key, other, value))
    const formerIdentities = before.map((one) => ({
      ...one,
      phone: isOthers('phone', one.phone) ? undefined : one.phone,
      waUserId: isOthers('waUserId', one.waUserId) ? undefined : one.waUserId,
    }))
    return traceOf(
      [{ name, phone, waPhone, waUserId, username }, ...formerIdentities],
      new Set(others.flatMap((other) => other.phone ?? [])),
    )
  }

  /** Erases the rest: nothing is found by the phone number now; messages that came meanwhile are in the same conversations. */
  async function eraseRest(
    job: JobRecord,
    { contactId, conversationIds, mentions }: z.infer<typeof checkpointSchema> & { contactId: string },
  ): Promise<JobStep> {
    await eraseMessages(job, { conversationIds })
    await eraseChatExports(job, { contactId, conversationIds })
    await conversations.remove(job, contactId)
    await forgetNotifications(job, conversationIds)
    await redactEvents(mongo, job.workspaceId, [contactId, ...conversationIds])
    await eraseWorkspaceExports(job)
    return { checkpoint: null, done: 1, result: { mentions }, write: async (tx) => emitJobChanged(job, tx) }
  }

  /** After repeated failure the contact is made visible again, so that people can start once more. */
  async function stepOrGiveUp(job: JobRecord): Promise<JobStep> {
    try {
      return await step(job)
    } catch (error) {
      const { contactId, deletedAt } = eraseInputSchema.parse(job.input)
      const record = job.attempts < maxAttempts ? null : await contacts.read(job, contactId)
      if (!record) throw error
      logger.error({ err: error, jobId: job.id }, 'a contact could not be erased')
      return {
        checkpoint: job.checkpoint,
        result: { problem: 'The contact was not erased completely. Start it again.' },
        write: async (tx) => {
          await store.putBack(
            { workspaceId: job.workspaceId, userId: job.startedBy ?? undefined },
            record,
            deletedAt && deletedAnew(deletedAt),
            tx,
          )
          emitJobChanged(job, tx)
        },
      }
    }
  }

  return {
    [eraseKind]: async (reference: JobReference): Promise<void> => {
      const onProgress = () => wakeEvents(reference.workspaceId)
      await runJob(jobs, reference, stepOrGiveUp, { leaseMs, onProgress })
    },
  }
}

/** Deletes what WhatsApp has sent about a person, wherever it is kept. */
function createEraseReceived(mongo: ServiceConnection) {
  const [events, parked, accountEvents] = [
    createRemoveEvents(mongo),
    createRemoveOrphanUpdates(mongo),
    createRemoveAccountEvents(mongo),
  ]
  return async (scope: WorkspaceScope, { trace }: Pick<Person, 'trace'>): Promise<void> => {
    await events.naming(scope, trace.identity)
    await parked.naming(scope, trace.identity)
    await accountEvents(scope, trace.identity)
  }
}
