import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import { z } from 'zod'
import { FileProblem } from './file-text.ts'
import { createImportProgress } from './import-progress.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { createReadSteps, type ReadStep } from './read-step.ts'
import { createUndoStep } from './undo-step.ts'

const inputSchema = z.object({ importId: z.string() })
/** Milliseconds after which another worker follows a killed one. */
const leaseMs = 10_000
const maxCollisions = 5

type ProgressDependencies = Parameters<typeof createImportProgress>[1]
type StepDependencies = Parameters<typeof createReadSteps>[0] & Parameters<typeof createUndoStep>[0]
interface Dependencies extends ProgressDependencies, Omit<StepDependencies, 'progress'> {
  readonly imports: ImportsRepository
  readonly jobs: JobRecords
  /** Wakes the process that numbers events: there are new ones. */
  readonly wakeEvents: (workspaceId: string) => void
}

/** Creates the work on imports: it reads a file for a check or a run, or undoes a run; batch by batch, from the last checkpoint. */
export function createImportWork(deps: Dependencies) {
  const { imports, jobs, wakeEvents } = deps
  const progress = createImportProgress(imports, deps)
  const openRows = createReadSteps({ ...deps, progress })
  const undoStep = createUndoStep({ ...deps, progress })

  return async function perform(reference: JobReference): Promise<void> {
    let rows: ReadStep | undefined
    const step = async (job: JobRecord): Promise<JobStep> => {
      const { importId } = inputSchema.parse(job.input)
      const record = await imports.read(reference, importId)
      const state = record?.jobId === job.id ? record.state : undefined
      if (!record || (state !== 'checking' && state !== 'running' && state !== 'undoing'))
        return { checkpoint: job.checkpoint, result: {} }
      if (state === 'undoing') return undoStep(record, job)
      rows ??= openRows(record, job)
      return rows.next(record, job).catch((error: unknown) => {
        if (!(error instanceof FileProblem)) throw error
        return progress.giveUp(record, job, error.message)
      })
    }
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          await runJob(jobs, reference, step, { leaseMs, onProgress: () => wakeEvents(reference.workspaceId) })
          return
        } catch (error) {
          // One of the numbers was added meanwhile: read again, it is found.
          if (!isDuplicateKey(error) || tries === maxCollisions) throw error
          await rows?.close()
          rows = undefined
        }
      }
    } catch (error) {
      await failIfHopeless(reference)
      throw error
    } finally {
      await rows?.close()
    }
  }

  /** A job that has failed at every attempt leaves its import where people can see that. */
  async function failIfHopeless({ id, workspaceId }: JobReference): Promise<void> {
    const job = await jobs.collection({ workspaceId }).findOne({ _id: id })
    if (job?.state !== 'failed') return
    await progress.fail({ workspaceId }, id)
    wakeEvents(workspaceId)
  }
}
