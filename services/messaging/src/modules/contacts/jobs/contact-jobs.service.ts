import type { Role } from '@parley/contracts/account/permissions'
import { type contactJobsApi, maxContactJobs } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ContactJob, TagRename } from '@parley/contracts/contacts/contact-jobs'
import { contactActionPermissions } from '@parley/contracts/contacts/contacts'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import { type JobRecords, type JobReference, keptMs } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { checkPermission } from '@parley/service-kit/http/authority'
import type { ActorContext } from '@parley/service-kit/http/context'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { Caller, ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { refuseBuiltIn } from '../tags/tags.service.ts'
import { createBeginErasure } from './begin-erasure.ts'
import { createBeginJob, emitJobChanged } from './begin-job.ts'
import { chatExportKind, chatInputSchema } from './chat-export-input.ts'
import {
  changeCheckpointSchema,
  changeInputSchema,
  changeKind,
  eraseKind,
  exportKind,
  exportResultSchema,
  type Mention,
  mentionsSchema,
  mergesCheckpointSchema,
  mergesInputSchema,
  mergesKind,
  mergesUndoKind,
  noMerges,
  personExportKind,
  undoKind,
} from './job-inputs.ts'
import { rowsExportKind } from './rows-export-input.ts'
import { lastIdOf, type SelectionApprovals } from './selection-approvals.ts'
import { canUndo, fileNameOf, fileTypeOf, toContactJob } from './to-contact-job.ts'

type ChangeRequest = EndpointInput<typeof contactJobsApi.change>['body']
type ExportRequest = EndpointInput<typeof contactJobsApi.export>['body']

const kinds = [
  exportKind,
  changeKind,
  undoKind,
  mergesKind,
  mergesUndoKind,
  personExportKind,
  eraseKind,
  rowsExportKind,
]
/** Adds exports of a conversation, which are listed apart. */
const allKinds = [...kinds, chatExportKind]

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly files: ReturnType<typeof createMediaFiles>
  readonly lists: Pick<ContactListsService, 'partsOfSelection'>
  readonly contacts: Pick<ContactsRepository, 'count' | 'read' | 'mergedIds'>
  readonly store: Pick<ContactStore, 'withdraw'>
  readonly approve: SelectionApprovals['require']
  /** Returns the names of places where members have written of an erased person. */
  readonly mentionNames: (ctx: Caller, mentioned: readonly Mention[]) => Promise<ReadonlyMap<string, string | null>>
  readonly conversations: Pick<ConversationsService, 'showMany'>
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/** Starts, shows and stops work over many contacts for people. */
export function createContactJobsService({
  mongo,
  jobs,
  files,
  lists,
  contacts,
  store,
  queueJobs: queue,
  transaction,
  approve,
  mentionNames,
  conversations,
}: Dependencies) {
  const { begin, begun } = createBeginJob({ jobs, queue, transaction })
  const erasure = createBeginErasure({ mongo, jobs, contacts, store, queue, transaction })

  async function list(ctx: Caller): Promise<ContactJob[]> {
    const found = await jobs
      .collection(ctx)
      .find({ kind: { $in: kinds } })
      .sort({ _id: -1 })
      .limit(maxContactJobs)
      .hint('kind')
    const mentioned = new Map(found.map((job) => [job.id, mentionedIn(job)]))
    const names = await mentionNames(ctx, [...mentioned.values()].flat())
    return found.map((job) => {
      const mentions = (mentioned.get(job.id) ?? []).flatMap(({ kind, id }) => {
        const name = names.get(id)
        return name === undefined ? [] : [{ kind, id, name }]
      })
      return { ...toContactJob(job), ...(mentions.length > 0 && { mentions }) }
    })
  }

  /**
   * @throws `not_found` for a segment that does not exist, `validation_failed` for conditions that contacts do not have,
   * `approval_required`.
   */
  async function startExport(ctx: Caller, input: ExportRequest): Promise<ContactJob> {
    // Its approval is taken already.
    const before = await begun(ctx)
    if (before) return before
    await lists.partsOfSelection(ctx, input.selection)
    const { take, ...bounds } = await approve(ctx, 'contact_export', input.selection)
    return begin(ctx, { kind: exportKind, total: 0, input: { ...input, ...bounds } }, (_, tx) => take(tx))
  }

  /** @throws as {@link startExport}. */
  async function startChange(ctx: Caller, input: ChangeRequest): Promise<ContactJob> {
    const before = await begun(ctx)
    if (before) return before
    await lists.partsOfSelection(ctx, input.selection)
    const allowed = input.action.kind === 'delete' ? await approve(ctx, 'contact_deletion', input.selection) : undefined
    const { upTo = lastIdOf(new Date()), maxContacts } = allowed ?? {}
    const bounded = { ...input, upTo, maxContacts }
    return begin(ctx, { kind: changeKind, total: 0, input: bounded }, async (_, tx) => allowed?.take(tx))
  }

  /** @throws `not_found` for a tag that no contact carries, `tag_in_use`, `validation_failed` for its own name. */
  async function startRename(ctx: Caller, { tag, to }: Pick<TagRename, 'tag' | 'to'>): Promise<ContactJob> {
    if (tag === to) throw errors.validation({ to: 'This is its name already.' })
    refuseBuiltIn(tag)
    const selection = { filter: { tags: [tag] } }
    const carriers = await contacts.count(ctx, await lists.partsOfSelection(ctx, selection), { limit: 1 })
    if (carriers === 0) throw errors.notFound('No contact has this tag any more.')
    const action = { kind: 'rename_tag' as const, tag, to }
    return begin(ctx, { kind: changeKind, total: 0, input: { selection, action, upTo: lastIdOf(new Date()) } })
  }

  /** @throws `not_found`, `forbidden` as for the change itself, `wrong_state` unless the change has ended and is not undone. */
  async function startUndo(ctx: Caller & { readonly role: Role }, id: string): Promise<ContactJob> {
    const job = await find(ctx, id)
    const refusal = errors.wrongState('There is nothing to undo.')
    if (!canUndo(job)) throw refusal
    const undoing = job.kind === mergesKind ? await separationOf(ctx, job) : undoingOf(ctx, job)
    if (undoing.total === 0) throw refusal
    return begin(ctx, undoing, async (undo, { session }) => {
      const first = { _id: job.id, 'result.undoneBy': { $exists: false } }
      const result = { ...job.result, undoneBy: undo.id }
      if (!(await jobs.collection(ctx).findOneAndUpdate(first, { $set: { result } }, { session }))) throw refusal
    })
  }

  /** Describes the job that separates what another one has merged: also the pair that it had in hand when it was stopped. */
  async function separationOf(scope: WorkspaceScope, { id: jobId, input, checkpoint }: JobRecord) {
    const { next, left } = mergesCheckpointSchema.parse(checkpoint ?? noMerges)
    const { pairs } = mergesInputSchema.parse(input)
    const inHand = pairs[next] && (await contacts.read(scope, pairs[next].otherId))
    const end = inHand?.merged?.jobId === jobId ? next + 1 : next
    const merged = pairs.filter((_, index) => index < end && !left.includes(index))
    return { kind: mergesUndoKind, total: merged.length, input: { jobId, pairs: merged } }
  }

  /** @throws `not_found`. */
  async function startPersonExport(ctx: Caller, contactId: string): Promise<ContactJob> {
    await erasure.findErasable(ctx, contactId)
    return begin(ctx, { kind: personExportKind, total: 0, input: { contactId } })
  }

  async function find(scope: WorkspaceScope, id: string): Promise<JobRecord> {
    const job = isId(id) ? await jobs.collection(scope).findOne({ _id: id, kind: { $in: allKinds } }) : null
    if (!job) throw errors.notFound('There is no such job.')
    return job
  }

  /** @throws `not_found`, `wrong_state` for one that has ended, `forbidden`. */
  async function cancel(ctx: Caller & Pick<ActorContext, 'may'>, id: string): Promise<ContactJob> {
    const job = await find(ctx, id)
    if (job.kind === eraseKind) throw errors.wrongState('What is being erased cannot be kept.')
    await jobs.cancel(ctx, job.id)
    await transaction(async (tx) => emitJobChanged(job, tx))
    return toContactJob(await find(ctx, id))
  }

  /** @throws `not_found` also where the file is not written yet, or is deleted. */
  async function download(scope: WorkspaceScope, id: string): Promise<FileAnswer> {
    const job = await find(scope, id)
    const result = exportResultSchema.safeParse(job.result).data
    const found = result && (await files.read(scope, result.fileId))
    if (!found) throw errors.notFound('This export has no file.')
    return {
      type: fileTypeOf(job),
      sizeBytes: found.media.sizeBytes,
      fileName: fileNameOf(job, await exportedContactName(scope, job)),
      open: found.open,
    }
  }

  async function exportedContactName(scope: WorkspaceScope, { kind, input }: JobRecord): Promise<string | undefined> {
    if (kind !== chatExportKind) return undefined
    const { conversationId } = chatInputSchema.parse(input)
    return (await conversations.showMany(scope, [conversationId])).get(conversationId)?.contact.name
  }

  /** Deletes files whose time is over, and what broken-off exports have left. */
  async function sweepFiles(now = new Date()): Promise<void> {
    await files.removeOlder(new Date(now.getTime() - keptMs))
    await files.removeUnfinished(now)
  }

  return {
    list,
    startExport,
    startChange,
    startRename,
    startUndo,
    startPersonExport,
    startErase: erasure.startErase,
    eraseExpired: erasure.eraseExpired,
    cancel,
    download,
    sweepFiles,
  }
}

/** Describes the job that undoes another one. @throws `forbidden` as for the change itself. */
function undoingOf(ctx: { readonly role: Role }, { id: jobId, input, checkpoint }: JobRecord) {
  const { action } = changeInputSchema.parse(input)
  if (action.kind === 'delete') checkPermission(contactActionPermissions.delete, ctx.role)
  const { changed, renamedIn } = changeCheckpointSchema.parse(checkpoint)
  return { kind: undoKind, total: changed, input: { jobId, action, renamedIn } }
}

const mentionedIn = ({ kind, result }: JobRecord): Mention[] =>
  kind === eraseKind ? (mentionsSchema.safeParse(result?.['mentions']).data ?? []) : []
