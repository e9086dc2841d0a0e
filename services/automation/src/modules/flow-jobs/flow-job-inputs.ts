import {
  bulkActionSchema,
  type FlowJob,
  type FlowTask,
  flowTasks,
  maxStartContacts,
  skipReasons,
} from '@parley/contracts/automation/flow-jobs'
import { runFilterSchema } from '@parley/contracts/automation/run-endpoints'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import { z } from 'zod'

/** Kind of a job's record, by its task. */
export const kindOf = (task: FlowTask): string => `workflow.${task}`

const id = z.string().length(24)

/** Input of a start by hand, or by a schedule. */
export const startInputSchema = z.object({
  flowId: id,
  /** A segment has the last id that is looked at, too. */
  of: z.union([
    z.object({ ids: z.array(z.string()).max(maxStartContacts) }),
    z.object({ segmentId: z.string(), upTo: id }),
  ]),
  /** Trigger whose time has come. */
  schedule: z.object({ nodeId: z.string(), slot: z.string() }).optional(),
  /** Kind of the actor who has started it by hand; absent: a member. */
  by: z.enum(['user', 'api_key']).optional(),
})
export type StartInput = z.infer<typeof startInputSchema>

/** Input of a change of many runs. */
export const bulkInputSchema = z.object({
  flowId: id,
  filter: runFilterSchema,
  action: bulkActionSchema,
  /** Runs that began later are left alone: a job must not meet those that it has made. */
  upTo: z.date(),
})
export type BulkInput = z.infer<typeof bulkInputSchema>

/** Position of a job, and what it has done so far. */
export const checkpointSchema = z.object({
  /** Place behind which it goes on: an id, or a number of contacts that were named one by one. */
  after: z.string(),
  changed: z.number(),
  held: z.number(),
  skipped: z.partialRecord(z.enum(skipReasons), z.number()),
})
export type Checkpoint = z.infer<typeof checkpointSchema>
export const beginning: Checkpoint = { after: '', changed: 0, held: 0, skipped: {} }

/** Ids begin with a time: those that are made later than at `time` are greater. */
export const lastIdAt = (time: number): string =>
  `${Math.floor(time / 1000)
    .toString(16)
    .padStart(8, '0')}${'f'.repeat(16)}`

/** Result of a job that ended early. */
const resultSchema = z.object({ problem: z.string().optional() })

/** Converts a job to the form in which people see it. */
export function toFlowJob(job: JobRecord): FlowJob {
  const { id: jobId, state, total, done, startedBy, createdAt } = job
  const { changed, held, skipped } = checkpointSchema.parse(job.checkpoint ?? beginning)
  const { flowId } = z.object({ flowId: id }).parse(job.input)
  const { problem } = resultSchema.parse(job.result ?? {})
  const failed = state === 'failed' ? 'Something went wrong. Start it again: what was done is not done twice.' : null
  return {
    id: jobId,
    workflowId: flowId,
    task: flowTasks.find((task) => kindOf(task) === job.kind) ?? 'start',
    state,
    total: Math.max(total, done),
    done,
    changed,
    held,
    skipped: skipReasons.flatMap((reason) => {
      const count = skipped[reason] ?? 0
      return count > 0 ? [{ reason, count }] : []
    }),
    problem: problem ?? failed,
    startedBy,
    createdAt: createdAt.toISOString(),
  }
}
