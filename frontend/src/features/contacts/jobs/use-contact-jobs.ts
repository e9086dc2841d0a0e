import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { useQuery } from '@tanstack/react-query'
import { contactJobsOptions, isWorking } from '../../../lib/contact-jobs.ts'

/** Whether an erasure has found where members have written of the person. */
export const useHasMentions = (): boolean =>
  (useQuery(contactJobsOptions()).data ?? []).some(({ mentions }) => mentions !== undefined)

/** The workspace's work over contacts that is under way, whoever has begun it. */
export const useWorkingJobs = (): readonly ContactJob[] => (useQuery(contactJobsOptions()).data ?? []).filter(isWorking)
