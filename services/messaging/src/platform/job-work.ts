import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'

type Perform = (reference: JobReference) => Promise<void>

/** Performs the jobs of all features, each by the kind that its work names; the sweep finds them all in one place. */
export function createJobWork(jobs: JobRecords, kinds: Readonly<Record<string, Perform>>) {
  async function perform({ id, workspaceId }: JobReference): Promise<void> {
    const job = await jobs.collection({ workspaceId }).findOne({ _id: id })
    if (!job) return
    const work = kinds[job.kind]
    if (!work) throw new Error(`nobody works on jobs of the kind ${job.kind}`)
    await work({ id, workspaceId })
  }
  const { pending, oldestPendingAt, countFailed } = jobs
  return { perform, pending, oldestPendingAt, countFailed, kinds: Object.keys(kinds) }
}
