import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { jobSchema } from '../platform/jobs.ts'
import { retrySchema, runFilterSchema } from './run-endpoints.ts'

/** Contacts of one start that are named one by one. */
export const maxStartContacts = 1000

/**
 * Reasons why a contact, or a run, was left out. `enrolled`: the rules of the workflow let the contact take part no more for now;
 * `filter`: the trigger asks for something else; `gone`: there is no such contact, or none that can be written to;
 * `node_gone`: the version lacks the step; `uncertain`: a step may have been done already; `wrong_state`: there is nothing to do with the run;
 * `limit_reached`: the workspace has as many runs under way as it may have.
 */
export const skipReasons = [
  'enrolled',
  'cool_down',
  'filter',
  'gone',
  'node_gone',
  'uncertain',
  'wrong_state',
  'limit_reached',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Contacts for whom a workflow is started by hand. */
const startActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contact'), contactId: idSchema }),
  z.object({ kind: z.literal('contacts'), contactIds: z.array(idSchema).min(1).max(maxStartContacts) }),
  z.object({ kind: z.literal('segment'), segmentId: idSchema }),
])
export type StartAction = z.infer<typeof startActionSchema>

/** Tasks of jobs over runs of a workflow. */
export const flowTasks = ['start', 'retry', 'cancel', 'release'] as const
export type FlowTask = (typeof flowTasks)[number]

/** Change of many runs: `cancel` ends them, `release` lets held ones go on. */
export const bulkActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('retry'), ...retrySchema.shape }),
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.literal('release') }),
])
export type BulkAction = z.infer<typeof bulkActionSchema>

/** Work over many contacts or runs of a workflow. */
const flowJobSchema = z.object({
  id: idSchema,
  workflowId: idSchema,
  task: z.enum(flowTasks),
  state: jobSchema.shape.state,
  /** Contacts or runs to go through; 0 until they are counted. `done`: those that are finished. */
  total: countSchema,
  done: countSchema,
  /** Runs that were started or changed. */
  changed: countSchema,
  /** Runs of these that wait for a person, because the workflow has started too often within an hour. */
  held: countSchema,
  skipped: z.array(z.object({ reason: z.enum(skipReasons), count: countSchema })).max(skipReasons.length),
  /** Reason why it ended before its work was done. */
  problem: z.string().max(300).nullable(),
  startedBy: idSchema.nullable(),
  createdAt: timeSchema,
})
export type FlowJob = z.infer<typeof flowJobSchema>

/** Maximum jobs that a list shows: the newest ones. */
export const maxFlowJobs = 20

export const flowJobsApi = {
  list: defineEndpoint({
    operation: 'flowJobs.list',
    method: 'GET',
    path: '/api/workflows/:id/jobs',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Recent and running starts by hand of a workflow, and other work over its runs, newest first.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(flowJobSchema).max(maxFlowJobs) }),
    errors: ['not_found'],
  }),
  start: defineEndpoint({
    operation: 'workflows.startRuns',
    method: 'POST',
    path: '/api/workflows/:id/runs',
    access: 'session',
    permission: 'conversations:assign',
    v1: true,
    actionPermissions: { contacts: 'workflows:publish', segment: 'workflows:publish' },
    summary:
      'Starts an active workflow for a contact, by its rules of re-enrolment; members who publish workflows also for some contacts or a segment.',
    params: byId,
    body: z.object({ action: startActionSchema }),
    status: 201,
    response: flowJobSchema,
    errors: ['not_found', 'not_published', 'wrong_state', 'limit_reached'],
  }),
  read: defineEndpoint({
    operation: 'flowJobs.read',
    method: 'GET',
    path: '/api/flow-jobs/:id',
    access: 'session',
    permission: 'conversations:assign',
    v1: true,
    summary: 'One start of a workflow: whether it has ended, how many runs it began, and why contacts were left out.',
    params: byId,
    status: 200,
    response: flowJobSchema,
    errors: ['not_found'],
  }),
  bulk: defineEndpoint({
    operation: 'workflows.changeRuns',
    method: 'POST',
    path: '/api/workflows/:id/runs/bulk',
    access: 'session',
    permission: 'workflows:publish',
    summary:
      'Tries failed runs again, ends live ones or lets held ones go on: all that a filter matches and that began before.',
    params: byId,
    body: z.object({ filter: runFilterSchema, action: bulkActionSchema }),
    status: 201,
    response: flowJobSchema,
    errors: ['not_found', 'wrong_state', 'limit_reached'],
  }),
  cancel: defineEndpoint({
    operation: 'flowJobs.cancel',
    method: 'POST',
    path: '/api/flow-jobs/:id/cancel',
    access: 'session',
    permission: 'conversations:assign',
    summary:
      'Stops the work: what it has done stays. Allowed for the member who started it and for those who may publish workflows.',
    params: byId,
    status: 200,
    response: flowJobSchema,
    errors: ['not_found', 'forbidden', 'wrong_state'],
  }),
}
