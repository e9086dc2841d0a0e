import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { useQuery } from '@tanstack/react-query'
import { contactJobsOptions, isWorking } from '../../../lib/contact-jobs.ts'

/** Returns whether an erasure has found mentions of the person by members. */
export const useHasMentions = (): boolean =>
  (useQuery(contactJobsOptions()).data ?? []).some(({ mentions }) => mentions !== undefined)

/** Returns the workspace's running jobs over contacts, started by any member. */
export const useWorkingJobs = (): readonly ContactJob[] => (useQuery(contactJobsOptions()).data ?? []).filter(isWorking)
