import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import { emitJobChanged } from './begin-job.ts'

/** The size of an exported file. */
export const maxExportBytes = 2 * 1024 ** 3
/** Milliseconds after which another worker follows a killed one. */
export const leaseMs = 10_000

/** The export was cancelled, or another worker has it: what was written is thrown away. */
class Stopped extends Error {}

/** Runs exports: each writes its file in one step, which is repeated from its start after a killed worker. */
export function createExportRunner({
  jobs,
  wakeEvents,
}: {
  readonly jobs: JobRecords
  readonly wakeEvents: (workspaceId: string) => void
}) {
  return {
    perform:
      (step: (job: JobRecord) => Promise<JobStep>) =>
      async (reference: JobReference): Promise<void> => {
        const onProgress = () => wakeEvents(reference.workspaceId)
        await runJob(jobs, reference, step, { leaseMs, onProgress }).catch((error: unknown) => {
          if (!(error instanceof Stopped)) throw error
        })
      },
    /** Stores how far an export is. Once it is not this worker's any more, it ends by what this throws. */
    setProgress: async (
      { id, workspaceId, leaseOwner }: JobRecord,
      progress: { readonly done: number; readonly total?: number },
    ): Promise<void> => {
      const leasedJob = { _id: id, ...(leaseOwner !== undefined && { leaseOwner }) }
      const { matchedCount } = await jobs.collection({ workspaceId }).updateOne(leasedJob, { $set: progress })
      if (matchedCount === 0) throw new Stopped()
    },
    /** The last step of an export. @param of.total where it is known by now. @param of.discard removes its file. */
    ended: (
      job: JobRecord,
      result: Record<string, unknown>,
      of: Pick<JobStep, 'total' | 'discard' | 'afterwards'> = {},
    ): JobStep => ({
      ...of,
      checkpoint: job.checkpoint,
      result,
      write: async (tx) => emitJobChanged(job, tx),
    }),
  }
}
