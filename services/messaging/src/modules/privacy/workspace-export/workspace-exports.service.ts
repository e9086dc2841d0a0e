import {
  maxWorkspaceExports,
  type WorkspaceExport,
  workspaceExportHours,
} from '@parley/contracts/account/workspace-export'
import { errors } from '@parley/service-kit/core/errors'
import { type JobRecord, toJob } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { z } from 'zod'
import { workspaceExportFiles, workspaceExportKind } from '../../contacts/jobs/job-inputs.ts'

const kind = workspaceExportKind
const writtenSchema = z.object({ fileId: z.string(), sizeBytes: z.number(), availableUntil: z.coerce.date() })
const problemSchema = z.object({ problem: z.string(), isTooLarge: z.boolean().optional() })
const gone = 'Its file was deleted.'
const failed = 'Something went wrong on our side. Start it again.'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/** Exports of a whole workspace as its owners start, find, stop and download them. */
export function createWorkspaceExports({ mongo, jobs, queueJobs: queue, transaction }: Dependencies) {
  const files = createMediaFiles(mongo, workspaceExportFiles)

  async function list(scope: WorkspaceScope): Promise<WorkspaceExport[]> {
    const found = await jobs.collection(scope).find({ kind }).sort({ _id: -1 }).limit(maxWorkspaceExports).hint('kind')
    return found.map(toExport)
  }

  /** @throws `wrong_state` while one is written. */
  async function begin(ctx: UserContext): Promise<WorkspaceExport> {
    const job = await transaction(({ session }) =>
      jobs.create(ctx, { kind, total: 0, input: {}, startedBy: ctx.userId }, { session }),
    ).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw errors.wrongState('An export of this workspace is being written already.')
      throw error
    })
    await queue([{ id: job.id, workspaceId: ctx.workspaceId }])
    return toExport(job)
  }

  async function find(scope: WorkspaceScope, id: string): Promise<JobRecord> {
    const job = isId(id) ? await jobs.collection(scope).findOne({ _id: id, kind }) : null
    if (!job) throw errors.notFound('There is no such export.')
    return job
  }

  /** @throws `not_found`, `wrong_state` for one that has ended. */
  async function cancel(scope: WorkspaceScope, id: string): Promise<WorkspaceExport> {
    await jobs.stop(scope, (await find(scope, id)).id)
    return toExport(await find(scope, id))
  }

  /** Deletes a file before its time. @throws `not_found` where there is none. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    const { job, fileId } = await written(scope, id)
    await jobs.collection(scope).updateOne({ _id: job.id }, { $set: { result: { problem: gone } } })
    await files.remove(scope, fileId)
  }

  /** @throws `not_found` also where the file is not written yet, or is deleted. */
  async function download(scope: WorkspaceScope, id: string): Promise<FileAnswer> {
    const { job, fileId } = await written(scope, id)
    const found = await files.read(scope, fileId)
    if (!found) throw errors.notFound(gone)
    return {
      type: 'application/zip',
      sizeBytes: found.media.sizeBytes,
      fileName: fileNameOf(job),
      open: found.open,
    }
  }

  async function written(scope: WorkspaceScope, id: string) {
    const job = await find(scope, id)
    const { data } = writtenSchema.safeParse(job.result)
    if (!data || data.availableUntil <= new Date()) throw errors.notFound('This export has no file.')
    return { job, fileId: data.fileId }
  }

  /** Deletes the files whose time is over, and what exports that broke off have left. */
  const sweep = (now = new Date()) => files.removeOlder(new Date(now.getTime() - workspaceExportHours * 3600_000))

  return { list, begin, cancel, remove, download, sweep }
}

function toExport(record: JobRecord): WorkspaceExport {
  const { id, state, total, done, result, startedBy, createdAt } = toJob(record)
  const { data } = writtenSchema.safeParse(result)
  const file =
    data && data.availableUntil > new Date()
      ? {
          name: fileNameOf(record),
          sizeBytes: data.sizeBytes,
          availableUntil: data.availableUntil.toISOString(),
        }
      : null
  const ended = problemSchema.safeParse(result).data
  const problem = ended?.problem ?? (state === 'failed' ? failed : data && !file ? gone : null)
  return {
    id,
    state: ended?.isTooLarge ? 'failed' : state,
    total: Math.max(total, done),
    done,
    file,
    problem,
    startedBy,
    createdAt,
  }
}

const fileNameOf = ({ createdAt }: JobRecord): string => `parley-workspace-${createdAt.toISOString().slice(0, 10)}.zip`
