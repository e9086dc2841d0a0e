import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { RunRecord } from '../runs/runs.service.ts'

/** One step of a job over runs. @param note told the runs that the step has stored; a repeated transaction tells them again. */
export type FlowStep = (job: JobRecord, note: (changed: readonly RunRecord[]) => void) => Promise<JobStep>
