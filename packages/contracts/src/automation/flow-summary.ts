import { z } from 'zod'
import { countSchema, storedFields, timeSchema } from '../core/records.ts'

export const flowKinds = ['bot', 'workflow'] as const
/** Kind of a flow: a bot answers customers, a workflow follows from what happens. */
export type FlowKind = (typeof flowKinds)[number]
/** Returns whether an owner or author of this kind is a bot or a workflow. */
export const isFlowKind = (kind: string | undefined): kind is FlowKind => flowKinds.some((known) => known === kind)

export const flowStatuses = ['active', 'paused'] as const
export type FlowStatus = (typeof flowStatuses)[number]

export const flowNameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')
/** Bytes of a request that carries a flow: 200 nodes with their texts. */
export const flowBodyBytes = 640 * 1024

export const versionSchema = z.number().int().positive()

/** Fields of bots and workflows in lists: without their flows. */
export const flowSummarySchema = z.object({
  ...storedFields,
  name: flowNameSchema,
  status: z.enum(flowStatuses),
  /** Number of the version that runs; absent before the first publication. */
  publishedVersion: versionSchema.optional(),
  /** True where the draft differs from the published version by more than the places of its nodes. */
  unpublishedChanges: z.boolean(),
  /** Runs that have not ended. */
  running: countSchema,
  /** Open entries of the attention list. */
  attention: countSchema,
  deletedAt: timeSchema.optional(),
})
export type FlowSummary = z.infer<typeof flowSummarySchema>
