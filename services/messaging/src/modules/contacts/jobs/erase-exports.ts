import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { madeAt } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { AddNotifications, NewNotification } from '../../../platform/notification.ts'
import type { Person } from '../../../platform/person.ts'
import { isInTable } from '../imports/is-in-table.ts'
import { createIsChatFile } from './chat-export-input.ts'
import {
  exportInputSchema,
  exportKind,
  exportResultSchema,
  personExportKind,
  personInputSchema,
  workspaceExportFiles,
  workspaceExportKind,
} from './job-inputs.ts'
import { rowsExportKind } from './rows-export-input.ts'

const stopped = 'It was stopped because somebody in it was erased. Start it again.'
const removed = 'The file was deleted because somebody in it was erased. Start the export again.'

interface Telling {
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
}

/**
 * Deletes exports of the workspace, also one that is being written or was given up: everybody is in them, and somebody who is
 * deleted is until nothing is left of them. To be called at the end of an erasure.
 */
export function createEraseWorkspaceExports(
  connection: ServiceConnection,
  jobs: JobRecords,
  { addNotifications, transaction }: Telling,
) {
  const files = createMediaFiles(connection, workspaceExportFiles)
  const kind = workspaceExportKind

  return async (scope: WorkspaceScope): Promise<void> => {
    const records = jobs.collection(scope)
    /** Ends exports, one after the other, and tells who has started them. */
    async function end(filter: object, update: object, problem: string): Promise<void> {
      const endOne = () =>
        transaction(async (tx) => {
          const job = await records.findOneAndUpdate({ kind, ...filter }, update, { session: tx.session })
          if (job) await addNotifications(scope, [endedOf(job, problem)], tx)
          return job
        })
      while (await endOne());
    }
    await end(
      { leaseEndsAt: { $exists: true } },
      { $set: { state: 'failed', result: { problem: stopped } }, $unset: { leaseOwner: 1, leaseEndsAt: 1 } },
      stopped,
    )
    await end({ 'result.fileId': { $exists: true } }, { $set: { result: { problem: removed } } }, removed)
    while ((await files.removeOf(scope)) > 0);
  }
}

const endedOf = ({ id, workspaceId, startedBy }: JobRecord, problem: string): NewNotification => ({
  key: `workspace_export/${id}/erased`,
  category: 'workspace',
  severity: 'warning',
  title: 'The export of the workspace is not there any more',
  body: problem,
  action: 'Start it again',
  object: { kind: 'workspace_export', id: workspaceId },
  ...(startedBy !== null && { for: [startedBy] }),
  at: new Date(),
})

/** Deletes exports of contacts that include a person, and those whose contents are unknown; files of conversations are left alone. */
export function createEraseExports(connection: ServiceConnection, jobs: JobRecords) {
  const files = createMediaFiles(connection, 'exportFiles')
  const isChatFile = createIsChatFile(jobs)
  const ofKinds = { kind: { $in: [exportKind, personExportKind, rowsExportKind] } }

  /** @param before exports that have begun before it may hold the person while they are written: they end without a file. */
  return async (scope: WorkspaceScope, { contactId, trace }: Person, before: Date): Promise<void> => {
    const records = jobs.collection(scope)
    await records.updateMany(
      { ...ofKinds, leaseEndsAt: { $exists: true }, createdAt: { $lte: before } },
      { $set: { state: 'failed', result: { problem: stopped } }, $unset: { leaseOwner: 1, leaseEndsAt: 1 } },
    )
    const written = new Map<string, JobRecord>()
    for await (const job of records.find(ofKinds).hint('kind')) {
      const file = exportResultSchema.safeParse(job.result).data
      if (file) written.set(file.fileId, job)
    }
    for await (const fileId of files.idsOf(scope)) {
      const job = written.get(fileId)
      if (!job && (madeAt(fileId) > before || (await isChatFile(scope, fileId)))) continue
      if (job && !(await isIn(scope, fileId, job, { contactId, trace }))) continue
      await files.remove(scope, fileId)
      if (job) await records.updateOne({ _id: job.id }, { $set: { result: { problem: removed } } })
    }
  }

  async function isIn(
    scope: WorkspaceScope,
    fileId: string,
    { kind, input }: JobRecord,
    { contactId, trace }: Pick<Person, 'contactId' | 'trace'>,
  ): Promise<boolean> {
    if (kind === personExportKind) {
      const { data: about } = personInputSchema.safeParse(input)
      return !about || about.contactId === contactId
    }
    const { data: table } = exportInputSchema.safeParse(input)
    const found = await files.read(scope, fileId)
    if (!found || !table) return found !== undefined
    const format =
      table.format === 'xlsx'
        ? ({ kind: 'xlsx' } as const)
        : ({ kind: 'csv', encoding: 'utf-8', delimiter: ',' } as const)
    return isInTable(found.open, { format, sizeBytes: found.media.sizeBytes }, trace)
  }
}
