import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { attentionSchema, type RunOutcome, runOutcomes, runSchema, runStepSchema } from './runs.ts'

/** Choices of a list of runs, and of the runs that are changed together. */
const runFilterFields = {
  outcome: z.enum(runOutcomes).optional(),
  /** `live`: not ended; `held`: those of them that wait for a person. */
  show: z.enum(['live', 'held', 'ended']).optional(),
  nodeId: idSchema.optional(),
  /** Node that it has been at; with `branch`, left by it. */
  visited: idSchema.optional(),
  branch: z.string().min(1).max(64).optional(),
  /** Node at which it ended without leaving it. */
  dropped: idSchema.optional(),
  number: z.coerce.number().int().positive().optional(),
  code: z.string().min(1).max(60).optional(),
  contact: idSchema.optional(),
  /** Begun from this moment on, and before that one. */
  from: timeSchema.optional(),
  to: timeSchema.optional(),
}
export const runFilterSchema = z.object(runFilterFields)
export type RunFilter = z.infer<typeof runFilterSchema>
const runQuery = z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor, ...runFilterFields })

/** Outcomes after which a run can be tried again. */
export const retriedOutcomes: readonly RunOutcome[] = ['failed', 'loop']

/** Codes of steps that may have been done although nothing has told so: they are repeated on a person's word alone. */
export const uncertainCodes: readonly string[] = ['unavailable', 'uncertain']

/** Beginning of another try of a run. */
export const retrySchema = z.object({
  /** `failed`: the step at which it failed. */
  from: z.union([z.enum(['start', 'failed']), z.object({ nodeId: idSchema })]).default('failed'),
  /** Version that is published now, or the one that it ran on. */
  version: z.enum(['current', 'same']).default('current'),
  /** Repeats a step of which nobody knows whether it was done. */
  repeatUncertain: z.boolean().default(false),
})
export type Retry = z.infer<typeof retrySchema>

export const runsApi = {
  ofBot: defineEndpoint({
    operation: 'runs.ofBot',
    method: 'GET',
    path: '/api/bots/:id/runs',
    access: 'session',
    permission: 'bots:read',
    summary: 'Sessions of a bot, the newest first.',
    params: byId,
    query: runQuery,
    status: 200,
    response: pageOf(runSchema),
    errors: ['not_found'],
  }),
  ofWorkflow: defineEndpoint({
    operation: 'runs.ofWorkflow',
    method: 'GET',
    path: '/api/workflows/:id/runs',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Runs of a workflow, the newest first.',
    params: byId,
    query: runQuery,
    status: 200,
    response: pageOf(runSchema),
    errors: ['not_found'],
  }),
  read: defineEndpoint({
    operation: 'runs.read',
    method: 'GET',
    path: '/api/runs/:id',
    access: 'session',
    permission: 'bots:read',
    summary: 'One session with its steps, the first one first. Steps hold no message text.',
    params: byId,
    status: 200,
    response: z.object({ run: runSchema, steps: z.array(runStepSchema).max(1000) }),
    errors: ['not_found'],
  }),
  cancel: defineEndpoint({
    operation: 'runs.cancel',
    method: 'POST',
    path: '/api/runs/:id/cancel',
    access: 'session',
    permission: 'conversations:assign',
    summary: 'Ends a run; a conversation that it holds goes to people.',
    params: byId,
    status: 200,
    response: runSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  release: defineEndpoint({
    operation: 'runs.release',
    method: 'POST',
    path: '/api/runs/:id/release',
    access: 'session',
    permission: 'conversations:assign',
    summary: 'Lets a held run go on.',
    params: byId,
    status: 200,
    response: runSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  retry: defineEndpoint({
    operation: 'runs.retry',
    method: 'POST',
    path: '/api/runs/:id/retry',
    access: 'session',
    permission: 'conversations:assign',
    summary: 'Tries a failed run of a workflow again, as a new run: from the start, the failed step or another one.',
    params: byId,
    body: retrySchema,
    status: 201,
    response: runSchema,
    errors: ['not_found', 'wrong_state', 'node_gone', 'step_uncertain'],
  }),
  attention: defineEndpoint({
    operation: 'attention.list',
    method: 'GET',
    path: '/api/attention',
    access: 'session',
    permission: 'bots:read',
    summary: 'What a person has to look at, the newest first.',
    query: z.object({
      state: attentionSchema.shape.state.optional(),
      bot: idSchema.optional(),
      workflow: idSchema.optional(),
      limit: pageQueryFields.limit,
      cursor: pageQueryFields.cursor,
    }),
    status: 200,
    response: pageOf(attentionSchema),
    errors: [],
  }),
  dismiss: defineEndpoint({
    operation: 'attention.dismiss',
    method: 'POST',
    path: '/api/attention/dismiss',
    access: 'session',
    permission: 'conversations:assign',
    summary: 'Takes entries off the attention list; `open` puts them back.',
    body: z.object({ ids: z.array(idSchema).min(1).max(100), state: attentionSchema.shape.state }),
    status: 200,
    response: z.object({ changed: countSchema }),
    errors: [],
  }),
}
