import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { jobSchema } from '../platform/jobs.ts'
import { templateCategories } from '../templates/templates.ts'
import { draftFlowSchema } from './flow.ts'
import { flowBodyBytes, versionSchema } from './flow-summary.ts'

/** Maximum days whose events a dry run takes, events that it looks at, and starts after which it stops. */
export const maxDryRunDays = 7
export const maxDryRunEvents = 200_000
export const maxDryRunStarts = 20_000
/** Maximum dry runs that a list shows: the newest ones. */
export const maxDryRuns = 5

/**
 * Reasons for which an event would have started nothing. `filter`: the trigger asks for something else; `enrolled`: the contact takes
 * part already, or has; `cool_down`: it has started for the contact too recently; `chain`: the workflow itself, or too many automations
 * in a row, have led to the event; `number`: it happened at a number to which the workflow is not limited.
 */
const dryRunSkips = ['filter', 'enrolled', 'cool_down', 'chain', 'number'] as const
export type DryRunSkip = (typeof dryRunSkips)[number]

/**
 * Ends of the followed path. `end`: as drawn; `answer`: a question, or a wait for a reply; `call`: another system is asked; `bot`: a bot
 * goes on; `waiting`: a wait reaches beyond the events; `held`: a person decides, because it has started too often; `failed`: it stops by
 * itself; `opted_out`: the customer opted out meanwhile.
 */
const dryRunEnds = ['end', 'answer', 'call', 'bot', 'waiting', 'held', 'failed', 'opted_out'] as const
export type DryRunEnd = (typeof dryRunEnds)[number]

const maxPaths = 1000

/** Counts alone: nothing of a contact is kept. */
const dryRunResultSchema = z.object({
  /** Times of the first and last moment that it covers. */
  from: timeSchema,
  until: timeSchema,
  /** Why it covers less than was asked for. `events`: there were more than {@link maxDryRunEvents}; `starts`: it stopped after {@link maxDryRunStarts}. */
  cut: z.enum(['events', 'starts']).optional(),
  /** Time of the first event that tells enough to decide on it; absent where none does. */
  firstAt: timeSchema.optional(),
  /** Events of the kinds on which the workflow starts: `starts`, and each that was skipped. */
  events: countSchema,
  starts: countSchema,
  contacts: countSchema,
  /** UTC days, also those without a start. */
  days: z.array(z.object({ day: z.iso.date(), starts: countSchema })).max(maxDryRunDays + 2),
  skipped: z.array(z.object({ reason: z.enum(dryRunSkips), count: countSchema })).max(dryRunSkips.length),
  /** Messages that are no templates. */
  messages: countSchema,
  /** `name` and `category` are missing where the template is gone. */
  templates: z
    .array(
      z.object({
        templateId: idSchema,
        name: z.string().max(512).optional(),
        category: z.enum(templateCategories).optional(),
        count: countSchema,
      }),
    )
    .max(200),
  paths: z.array(z.object({ nodeId: idSchema.optional(), end: z.enum(dryRunEnds), count: countSchema })).max(maxPaths),
})
export type DryRunResult = z.infer<typeof dryRunResultSchema>

/** One dry run of a workflow over recorded events. */
const dryRunSchema = z.object({
  id: idSchema,
  workflowId: idSchema,
  state: jobSchema.shape.state,
  of: z.enum(['draft', 'published']),
  /** Version that was played, where it was a published one. */
  number: versionSchema.optional(),
  days: z.number().int().min(1).max(maxDryRunDays),
  /** Events to look at, 0 until they are counted, and those that it has passed. */
  total: countSchema,
  done: countSchema,
  result: dryRunResultSchema.nullable(),
  startedBy: idSchema.nullable(),
  createdAt: timeSchema,
})
export type DryRun = z.infer<typeof dryRunSchema>

const newDryRunSchema = z.object({
  days: z.number().int().min(1, 'At least one day').max(maxDryRunDays, `At most ${maxDryRunDays} days`),
  /** `flow`: the draft as it is on the canvas; absent: as it is saved. */
  of: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('draft'), flow: draftFlowSchema.optional() }),
    z.object({ kind: z.literal('published') }),
  ]),
})
export type NewDryRun = z.infer<typeof newDryRunSchema>

export const dryRunsApi = {
  list: defineEndpoint({
    operation: 'dryRuns.list',
    method: 'GET',
    path: '/api/workflows/:id/dry-runs',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Latest dry runs of a workflow with their results, newest first; they are kept for seven days.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(dryRunSchema).max(maxDryRuns) }),
    errors: ['not_found'],
  }),
  start: defineEndpoint({
    operation: 'dryRuns.start',
    method: 'POST',
    path: '/api/workflows/:id/dry-runs',
    access: 'session',
    permission: 'workflows:write',
    summary:
      'Tells how often a workflow would have started on the recorded events of up to seven days, and how far; nothing is sent, stored or called.',
    params: byId,
    body: newDryRunSchema,
    bodyLimitBytes: flowBodyBytes,
    status: 201,
    response: dryRunSchema,
    errors: ['not_found', 'not_published', 'limit_reached'],
  }),
  cancel: defineEndpoint({
    operation: 'dryRuns.cancel',
    method: 'POST',
    path: '/api/dry-runs/:id/cancel',
    access: 'session',
    permission: 'workflows:write',
    summary: 'Stops a dry run: it has no result then.',
    params: byId,
    status: 200,
    response: dryRunSchema,
    errors: ['not_found', 'wrong_state'],
  }),
}
