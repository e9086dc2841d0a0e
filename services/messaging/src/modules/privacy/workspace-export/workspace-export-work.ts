import { workspaceExportHours } from '@parley/contracts/account/workspace-export'
import { AppError } from '@parley/service-kit/core/errors'
import { countExported } from '@parley/service-kit/data/export-workspace'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { OpenRecords } from '../../../platform/ask-profile.ts'
import type { AddNotifications, NewNotification } from '../../../platform/notification.ts'
import { createExportRunner } from '../../contacts/jobs/export-runner.ts'
import { workspaceExportKind as kind, workspaceExportFiles } from '../../contacts/jobs/job-inputs.ts'
import { exportedFiles } from './exported-collections.ts'
import type { withoutErased } from './without-erased.ts'
import { workspaceZip } from './workspace-zip.ts'

/** The size of an export. */
const maxBytes = 16 * 1024 ** 3
/** Exports that have a file. */
const written = { kind, 'result.fileId': { $exists: true } }
const replaced = 'A newer export has replaced it.'
const tooLarge = 'The workspace is larger than 16 GB as a file. Ask whoever runs Parley for a copy of the database.'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly openRecords: OpenRecords
  readonly contacts: Parameters<typeof withoutErased>[0]
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
}

/** Work on the export of a workspace: counts its records, then writes its file in one step. */
export function createWorkspaceExportWork({
  mongo,
  openRecords,
  contacts,
  addNotifications,
  transaction,
  ...tools
}: Dependencies & Parameters<typeof createExportRunner>[0]) {
  const { perform, setProgress, ended } = createExportRunner(tools)
  const files = createMediaFiles(mongo, workspaceExportFiles)

  async function step(job: JobRecord): Promise<JobStep> {
    if (job.checkpoint === null) return { checkpoint: { begun: true }, total: await count(job) }
    const earlier = await tools.jobs.collection(job).find(written).hint('kind')
    const earlierFiles = earlier.map(({ result }) => String(result?.['fileId']))
    // A killed worker has left a part of this one.
    await removeAllBut(job, earlierFiles)
    let done = 0
    const onRecords = async (more: number) => {
      done += more
      await setProgress(job, { done })
    }
    const content = workspaceZip(job, { mongo, openRecords, contacts, onRecords, startedAt: new Date() })
    try {
      const file = await files.save(job, { content, accept: 'any', limitBytes: maxBytes })
      const availableUntil = new Date(Date.now() + workspaceExportHours * 3600_000)
      const result = { fileId: file.id, sizeBytes: file.sizeBytes, availableUntil }
      const end = ended(job, result, {
        total: done,
        discard: () => files.remove(job, file.id),
        afterwards: () => removeEach(job, earlierFiles, file.id),
      })
      const write = async (tx: Tx) => {
        await replaceEarlier(job, tx)
        await end.write?.(tx)
      }
      return telling(job, { ...end, write })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'body_too_large') throw error
      return telling(job, ended(job, { problem: tooLarge, isTooLarge: true }))
    }
  }

  /** Tells owners of the end in the transaction that stores it. */
  const telling = (job: JobRecord, end: JobStep): JobStep => ({
    ...end,
    write: async (tx) => {
      await end.write?.(tx)
      await addNotifications(job, [end.result?.['fileId'] === undefined ? failedOf(job) : readyOf(job)], tx)
    },
  })

  /** There is one file at most: that of the export before is there until this one is. */
  async function replaceEarlier(job: JobRecord, { session }: Pick<Tx, 'session'>): Promise<void> {
    await tools.jobs.collection(job).updateMany(written, { $set: { result: { problem: replaced } } }, { session })
  }

  async function removeEach(job: JobRecord, fileIds: readonly string[], but: string): Promise<void> {
    for (const id of fileIds) if (id !== but) await files.remove(job, id)
  }

  async function removeAllBut(job: JobRecord, fileIds: readonly string[]): Promise<void> {
    while ((await files.removeOf(job, fileIds)) > 0);
  }

  async function count(job: JobRecord): Promise<number> {
    let total = 0
    for (const collection of Object.values(exportedFiles).flat()) total += await countExported(mongo, job, collection)
    return total
  }

  const work = perform(step)
  return {
    [kind]: async (reference: JobReference): Promise<void> => {
      await work(reference).catch(async (error: unknown) => {
        const job = await tools.jobs.collection(reference).findOne({ _id: reference.id, state: 'failed' })
        if (job) await transaction((tx) => addNotifications(reference, [failedOf(job)], tx))
        throw error
      })
    },
  }
}

const aboutExport = ({ id, workspaceId }: Pick<JobRecord, 'id' | 'workspaceId'>, what: string) => ({
  key: `workspace_export/${id}/${what}`,
  category: 'workspace' as const,
  object: { kind: 'workspace_export', id: workspaceId },
  at: new Date(),
})

const readyOf = (job: JobRecord): NewNotification => ({
  ...aboutExport(job, 'ready'),
  severity: 'success',
  title: 'The export of the workspace is ready',
  body: `Owners can download it for ${workspaceExportHours} hours. Then its file is deleted.`,
  action: 'Download the export',
})

const failedOf = (job: JobRecord): NewNotification => ({
  ...aboutExport(job, 'failed'),
  severity: 'error',
  title: 'The export of the workspace did not finish',
  body: 'No file was made. Everything is as it was.',
  action: 'See why, or start it again',
})
