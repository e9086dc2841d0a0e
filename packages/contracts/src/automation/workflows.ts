import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, pageOf, pageQueryFields, percentSchema, storedFields } from '../core/records.ts'
import { botStatuses } from './bot-summary.ts'
import { draftFlowSchema } from './flow.ts'

const reEnrolments = ['never', 'when_finished', 'always'] as const

const workflowNameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')

export const workflowSchema = z.object({
  ...storedFields,
  name: workflowNameSchema,
  status: z.enum(botStatuses),
  draft: draftFlowSchema,
  executions: countSchema,
  succeeded: countSchema,
  /** `succeeded` of `executions`; 0 before the first. */
  successRate: percentSchema,
  reEnrolment: z.enum(reEnrolments),
})
export type Workflow = z.infer<typeof workflowSchema>

export const workflowsApi = {
  list: defineEndpoint({
    operation: 'workflows.list',
    method: 'GET',
    path: '/api/workflows',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Workflows, by name.',
    query: z.object({ ...pageQueryFields, status: z.enum(botStatuses).optional() }),
    status: 200,
    response: pageOf(workflowSchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'workflows.summary',
    method: 'GET',
    path: '/api/workflows/summary',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Counts over all workflows.',
    status: 200,
    response: z.object({
      total: countSchema,
      active: countSchema,
      executions: countSchema,
      successRate: percentSchema,
    }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'workflows.read',
    method: 'GET',
    path: '/api/workflows/:id',
    access: 'session',
    permission: 'workflows:read',
    summary: 'One workflow with its steps.',
    params: byId,
    status: 200,
    response: workflowSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'workflows.create',
    method: 'POST',
    path: '/api/workflows',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Creates a paused workflow.',
    body: z.object({ name: workflowNameSchema, draft: draftFlowSchema.optional() }),
    status: 201,
    response: workflowSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'workflows.update',
    method: 'PATCH',
    path: '/api/workflows/:id',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Renames a workflow, saves its steps, pauses or starts it.',
    params: byId,
    body: z.object({
      name: workflowNameSchema.optional(),
      status: z.enum(botStatuses).optional(),
      draft: draftFlowSchema.optional(),
      reEnrolment: z.enum(reEnrolments).optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: workflowSchema,
    errors: ['not_found', 'stale_version', 'invalid_flow'],
  }),
  remove: defineEndpoint({
    operation: 'workflows.remove',
    method: 'DELETE',
    path: '/api/workflows/:id',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Deletes a workflow. It can be restored for 30 days.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
  restore: defineEndpoint({
    operation: 'workflows.restore',
    method: 'POST',
    path: '/api/workflows/:id/restore',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Restores a deleted workflow, paused.',
    params: byId,
    status: 200,
    response: workflowSchema,
    errors: ['not_found'],
  }),
}
