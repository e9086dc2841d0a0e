import { type DryRun, type DryRunResult, maxDryRunDays } from '@parley/contracts/automation/dry-runs'
import { enrolmentSchema } from '@parley/contracts/automation/workflows'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import { z } from 'zod'

/** Kind of a dry run's job. */
export const dryRunKind = 'workflow.dry_run'

/** Input of a dry run. */
export const inputSchema = z.object({
  dryRunOf: z.string().length(24),
  of: z.enum(['draft', 'published']),
  number: z.number().optional(),
  /** As text, as it is stored elsewhere too: names in it may hold dots and dollars. */
  flow: z.string(),
  /** Settings of the workflow at the beginning. */
  numberIds: z.array(z.string()),
  enrolment: enrolmentSchema,
  days: z.number().int().min(1).max(maxDryRunDays),
  since: z.date(),
  until: z.date(),
})
export type Input = z.infer<typeof inputSchema>

/** Position of a dry run: the numbers of the last event that it has passed and of the last of all, and how often it began anew. */
export const checkpointSchema = z.object({
  upTo: z.number(),
  head: z.number(),
  begun: z.number(),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

/** Converts a job to the form in which people see it. */
export function toDryRun(job: JobRecord): DryRun {
  const { id, state, total, done, startedBy, createdAt } = job
  // Lists leave the flow out.
  const { dryRunOf, of, number, days } = inputSchema.omit({ flow: true }).parse(job.input)
  return {
    id,
    workflowId: dryRunOf,
    state,
    of,
    ...(number !== undefined && { number }),
    days,
    total,
    done: Math.min(done, total),
    // Written by this service alone, in the shape of the contract.
    result: state === 'done' ? (job.result as DryRunResult | null) : null,
    startedBy,
    createdAt: createdAt.toISOString(),
  }
}
