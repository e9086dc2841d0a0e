import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, pageOf, pageQueryFields, percentSchema, timeSchema } from '../core/records.ts'
import { draftFlowSchema } from './flow.ts'
import { flowEndpoints } from './flow-endpoints.ts'
import { flowNameSchema, flowStatuses, flowSummarySchema, versionSchema } from './flow-summary.ts'
import { flowTestEndpoints } from './flow-tests.ts'
import { replayEndpoints } from './replays.ts'

/** Rules for whether a contact starts a workflow again: never; once the run before has ended; each time. */
const reEnrolments = ['never', 'when_finished', 'always'] as const

/** Settings of a workflow beside its flow: when it starts, and how often. */
export const enrolmentSchema = z.object({
  reEnrolment: z.enum(reEnrolments),
  /** Seconds after a run began in which the same contact starts no other: at most 90 days. */
  coolDownSeconds: z
    .number()
    .int()
    .min(0)
    .max(90 * 86_400, 'At most 90 days'),
  /** Starts in one hour, above which further ones are held. */
  startsPerHour: z.number().int().min(1, 'At least one').max(100_000, 'At most 100,000'),
  perContactPerHour: z.number().int().min(1, 'At least one').max(100, 'At most 100'),
})
export type Enrolment = z.infer<typeof enrolmentSchema>

/** A workflow as lists show it: without its flow. */
const workflowSummarySchema = flowSummarySchema.extend({
  ...enrolmentSchema.shape,
  /** Nodes of its draft. */
  triggers: countSchema,
  actions: countSchema,
  /** Runs begun in the last 30 days. */
  executions: countSchema,
  /** Those of them that ended as drawn, with the conversation given to people or not. */
  succeeded: countSchema,
  /** `succeeded` of the executions that have ended, percent with one decimal; 0 before the first. */
  successRate: percentSchema,
  /** Next start by a schedule of the version that runs; absent where it has none, and while it is paused. */
  nextStartAt: timeSchema.optional(),
})
export type WorkflowSummary = z.infer<typeof workflowSummarySchema>

export const workflowSchema = workflowSummarySchema.extend({ draft: draftFlowSchema })
export type Workflow = z.infer<typeof workflowSchema>

export const workflowsApi = {
  list: defineEndpoint({
    operation: 'workflows.list',
    method: 'GET',
    path: '/api/workflows',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Workflows, by name, without their flows.',
    query: z.object({ ...pageQueryFields, status: z.enum(flowStatuses).optional() }),
    status: 200,
    response: pageOf(workflowSummarySchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'workflows.summary',
    method: 'GET',
    path: '/api/workflows/summary',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Counts over all workflows; executions of the last 30 days.',
    status: 200,
    response: z.object({
      total: countSchema,
      active: countSchema,
      executions: countSchema,
      successRate: percentSchema,
    }),
    errors: [],
  }),
  ...flowTestEndpoints('workflow'),
  ...replayEndpoints('workflow'),
  ...flowEndpoints({
    kind: 'workflow',
    record: workflowSchema,
    change: enrolmentSchema.partial().extend({
      name: flowNameSchema.optional(),
      draft: draftFlowSchema.optional(),
      version: versionSchema,
    }),
    published: z.object({ workflow: workflowSchema, number: versionSchema, moved: countSchema, ended: countSchema }),
  }),
}
