import type { ContactJob } from '@parley/contracts/contact-jobs'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { pauseForNetwork } from '../../../lib/pause.ts'
import { contactJobsOptions, isWorking, watchMs } from './api.ts'

/** The workspace's work over contacts that is under way, whoever has begun it. */
export const useWorkingJobs = (): readonly ContactJob[] => (useQuery(contactJobsOptions()).data ?? []).filter(isWorking)

/**
 * Waits until a job has ended, wherever in the app the person goes meanwhile.
 * @returns the job as it ended; undefined where that could not be found out.
 */
export async function whenEnded(client: QueryClient, job: ContactJob): Promise<ContactJob | undefined> {
  let now: ContactJob | undefined = job
  while (now && isWorking(now)) {
    await pauseForNetwork(watchMs)
    const read = client.fetchQuery({ ...contactJobsOptions(), staleTime: 0 })
    const jobs: readonly ContactJob[] = await read.catch(() => [])
    now = jobs.find(({ id }) => id === job.id)
  }
  return now
}
