import { z } from 'zod'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { versionSchema } from './flow-summary.ts'

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

export const flowCheckSchema = z.object({
  problems: z.array(publishProblemSchema).max(500),
  /** Runs on older versions, and of these those that could move over. */
  running: countSchema,
  movable: countSchema,
})
export type FlowCheck = z.infer<typeof flowCheckSchema>

export const flowVersionSchema = z.object({
  number: versionSchema,
  publishedAt: timeSchema,
  /** User id. */
  publishedBy: idSchema,
  note: z.string().max(500).optional(),
  /** Number of the version that was published once more. */
  restoredFrom: versionSchema.optional(),
  running: countSchema,
})
export type FlowVersion = z.infer<typeof flowVersionSchema>

/** Visits of the nodes of a flow by the runs that began since a moment: entered = left + dropped + here. */
export const flowCountsSchema = z.object({
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
export type FlowCounts = z.infer<typeof flowCountsSchema>

/** Maximum days of a flow's counts: as long as its runs are kept. */
export const maxCountedDays = 90

export const publicationSchema = z.object({
  running: z.enum(runningChoices).default('finish'),
  /** Codes of the warnings that the person has read, with their nodes: `code` or `code:nodeId`. */
  accept: z.array(z.string().max(130)).max(500).default([]),
  note: z.string().trim().max(500).optional(),
  start: z.boolean().optional(),
  version: versionSchema,
})
