import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { draftFlowSchema } from './flow.ts'
import { type FlowKind, flowBodyBytes, flowNameSchema, versionSchema } from './flow-summary.ts'

/** Problem of a flow: `critical` refuses publication, each `warning` has to be accepted. */
const publishProblemSchema = z.object({
  code: z.string().max(60),
  severity: z.enum(['critical', 'warning']),
  /** Node that has it; absent: the flow as a whole. */
  nodeId: idSchema.optional(),
  sentence: z.string().max(500),
  /** The flow that has the keyword already. */
  owner: z.object({ id: idSchema, name: z.string().max(80) }).optional(),
})
export type PublishProblem = z.infer<typeof publishProblemSchema>

/** Choices for runs of older versions when one is published: they finish, move over, or end and go to people. */
export const runningChoices = ['finish', 'move', 'end'] as const

const checkSchema = z.object({
  problems: z.array(publishProblemSchema).max(500),
  /** Runs on older versions, and of these those that could move over. */
  running: countSchema,
  movable: countSchema,
})
export type FlowCheck = z.infer<typeof checkSchema>

const versionRecordSchema = z.object({
  number: versionSchema,
  publishedAt: timeSchema,
  /** User id. */
  publishedBy: idSchema,
  note: z.string().max(500).optional(),
  /** Number of the version that was published once more. */
  restoredFrom: versionSchema.optional(),
  running: countSchema,
})
export type FlowVersion = z.infer<typeof versionRecordSchema>

/** Visits of the nodes of a flow by the runs that began since a moment: entered = left + dropped + here. */
const countsSchema = z.object({
  since: timeSchema,
  nodes: z
    .array(
      z.object({
        nodeId: idSchema,
        entered: countSchema,
        /** By branch, those that lead nowhere too; `bot`: it continued in another bot. */
        left: z.array(z.object({ branch: z.string().max(64), count: countSchema })).max(50),
        /** Ended here without leaving the node. */
        dropped: countSchema,
        /** Actions that were refused. */
        failed: countSchema,
        /** At the node now. */
        here: countSchema,
      }),
    )
    .max(2000),
})
export type FlowCounts = z.infer<typeof countsSchema>

/** Maximum days of a flow's counts: as long as its runs are kept. */
const maxCountedDays = 90

const publicationSchema = z.object({
  running: z.enum(runningChoices).default('finish'),
  /** Codes of the warnings that the person has read, with their nodes: `code` or `code:nodeId`. */
  accept: z.array(z.string().max(130)).max(500).default([]),
  note: z.string().trim().max(500).optional(),
  start: z.boolean().optional(),
  version: versionSchema,
})

const byNumber = byId.extend({ number: z.coerce.number().int().positive() })

/** Parts in which the endpoints of bots and workflows differ. */
interface FlowCalls<K extends FlowKind, R extends z.ZodType, C extends z.ZodType, P extends z.ZodType> {
  readonly kind: K
  /** A flow with its draft and settings. */
  readonly record: R
  /** Change of the saved record. */
  readonly change: C
  /** Answer of a publication. */
  readonly published: P
}

/** Returns the endpoints that bots and workflows have in common, but for their lists. */
export const flowEndpoints = <const K extends FlowKind, R extends z.ZodType, C extends z.ZodType, P extends z.ZodType>({
  kind,
  record,
  change,
  published,
}: FlowCalls<K, R, C, P>) => ({
  read: defineEndpoint({
    operation: `${kind}s.read`,
    method: 'GET',
    path: `/api/${kind}s/:id`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: `One ${kind} with the flow that is being edited, and its settings.`,
    params: byId,
    status: 200,
    response: record,
    errors: ['not_found'],
  }),
  counts: defineEndpoint({
    operation: `${kind}s.counts`,
    method: 'GET',
    path: `/api/${kind}s/:id/counts`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: `Visits of the nodes of a ${kind}, of all versions or one, by the runs that began within some days.`,
    params: byId,
    query: z.object({
      days: z.coerce.number().int().min(1).max(maxCountedDays).default(30),
      number: z.coerce.number().int().positive().optional(),
    }),
    status: 200,
    response: countsSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: `${kind}s.create`,
    method: 'POST',
    path: `/api/${kind}s`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: `Creates a paused ${kind}. At most 100 in a workspace.`,
    body: z.object({ name: flowNameSchema, draft: draftFlowSchema.optional() }),
    bodyLimitBytes: flowBodyBytes,
    status: 201,
    response: record,
    errors: ['limit_reached', 'invalid_flow'],
  }),
  duplicate: defineEndpoint({
    operation: `${kind}s.duplicate`,
    method: 'POST',
    path: `/api/${kind}s/:id/duplicate`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: `Creates a paused copy with the draft and the settings of a ${kind}.`,
    params: byId,
    body: z.object({ name: flowNameSchema.optional() }),
    status: 201,
    response: record,
    errors: ['not_found', 'limit_reached'],
  }),
  update: defineEndpoint({
    operation: `${kind}s.update`,
    method: 'PATCH',
    path: `/api/${kind}s/:id`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: 'Saves the name, settings or the draft. What runs is changed by publishing only.',
    params: byId,
    body: change,
    bodyLimitBytes: flowBodyBytes,
    status: 200,
    response: record,
    errors: ['not_found', 'stale_version', 'invalid_flow', 'keyword_taken'],
  }),
  check: defineEndpoint({
    operation: `${kind}s.check`,
    method: 'POST',
    path: `/api/${kind}s/:id/check`,
    access: 'session',
    permission: `${kind}s:read`,
    audit: 'none',
    summary: 'Problems of the draft, or of an older version, by severity, and the runs that publishing it would touch.',
    params: byId,
    body: z.object({
      draft: draftFlowSchema.optional(),
      /** Version to be published once more, in place of the draft. */
      number: versionSchema.optional(),
    }),
    bodyLimitBytes: flowBodyBytes,
    repeatable: true,
    status: 200,
    response: checkSchema,
    errors: ['not_found', 'invalid_flow'],
  }),
  publish: defineEndpoint({
    operation: `${kind}s.publish`,
    method: 'POST',
    path: `/api/${kind}s/:id/publish`,
    access: 'session',
    permission: `${kind}s:publish`,
    summary: `Publishes the draft as a new version, with all checks; with \`start\` the ${kind} runs from then on.`,
    params: byId,
    body: publicationSchema,
    status: 200,
    response: published,
    errors: ['not_found', 'stale_version', 'invalid_flow', 'warnings_open', 'keyword_taken', 'tests_failed'],
  }),
  start: defineEndpoint({
    operation: `${kind}s.start`,
    method: 'POST',
    path: `/api/${kind}s/:id/start`,
    access: 'session',
    permission: `${kind}s:publish`,
    summary: `Starts a published ${kind}: new runs begin.`,
    params: byId,
    status: 200,
    response: record,
    errors: ['not_found', 'not_published', 'keyword_taken'],
  }),
  pause: defineEndpoint({
    operation: `${kind}s.pause`,
    method: 'POST',
    path: `/api/${kind}s/:id/pause`,
    access: 'session',
    permission: `${kind}s:publish`,
    summary: `Pauses a ${kind}: no new run begins. Running ones finish, or end; conversations that they hold go to people.`,
    params: byId,
    body: z.object({ running: z.enum(['finish', 'end']).default('finish') }),
    status: 200,
    response: record,
    errors: ['not_found'],
  }),
  remove: defineEndpoint({
    operation: `${kind}s.remove`,
    method: 'DELETE',
    path: `/api/${kind}s/:id`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: `Deletes a ${kind}; its runs end, and conversations that they hold go to people. It can be restored for 30 days.`,
    params: byId,
    status: 204,
    errors: ['not_found', 'in_use'],
  }),
  restore: defineEndpoint({
    operation: `${kind}s.restore`,
    method: 'POST',
    path: `/api/${kind}s/:id/restore`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: `Restores a deleted ${kind}, paused.`,
    params: byId,
    status: 200,
    response: record,
    errors: ['not_found', 'limit_reached'],
  }),
  versions: defineEndpoint({
    operation: `${kind}s.versions`,
    method: 'GET',
    path: `/api/${kind}s/:id/versions`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: 'Published versions, the newest first.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(versionRecordSchema),
    errors: ['not_found'],
  }),
  version: defineEndpoint({
    operation: `${kind}s.version`,
    method: 'GET',
    path: `/api/${kind}s/:id/versions/:number`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: 'One published version with its flow.',
    params: byNumber,
    status: 200,
    response: versionRecordSchema.extend({ flow: draftFlowSchema }),
    errors: ['not_found'],
  }),
  restoreVersion: defineEndpoint({
    operation: `${kind}s.restoreVersion`,
    method: 'POST',
    path: `/api/${kind}s/:id/versions/:number/restore`,
    access: 'session',
    permission: `${kind}s:publish`,
    summary:
      'Publishes an older version once more, as a new one and with all checks of today. The draft stays as it is.',
    params: byNumber,
    body: publicationSchema,
    status: 200,
    response: published,
    errors: ['not_found', 'stale_version', 'invalid_flow', 'warnings_open', 'keyword_taken', 'tests_failed'],
  }),
})
