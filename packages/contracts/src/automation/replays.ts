import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema } from '../core/records.ts'
import { draftFlowSchema } from './flow.ts'
import { type FlowKind, flowBodyBytes } from './flow-summary.ts'
import { transcriptLineSchema } from './flow-tests.ts'
import { runOutcomes, runSchema } from './runs.ts'

/** Maximum runs of one replay. */
export const maxReplayedRuns = 50
/** Maximum inputs and nodes of one run that are replayed, and entries that its chains show. */
export const maxReplayInputs = 200
export const maxReplaySteps = 500
const maxChainEntries = 1000

/**
 * Reasons why a run cannot be replayed, or not to its end. `erased`: its person was erased; `words_gone`: messages or events that it
 * took are no longer kept; `no_record`: it began before inputs were
 * recorded, or its record has expired; `gap`: a part of the record is missing; `version_gone`; `record_differs`: today's interpreter
 * takes its version another way; `too_long`; `no_answer`: the flow asks another system for what the record has no answer to;
 * `node_gone`: it began at a step that the flow lacks; `no_time`: the runs before it took too long.
 */
const replayStops = [
  'erased',
  'words_gone',
  'no_record',
  'gap',
  'version_gone',
  'record_differs',
  'too_long',
  'no_answer',
  'node_gone',
  'no_time',
] as const
export type ReplayStop = (typeof replayStops)[number]

/** One entry of a chain: an input, a node that was passed with what it did, a wait or the end. */
const chainEntrySchema = z.object({
  nodeId: idSchema.optional(),
  branch: z.string().max(64).optional(),
  lines: z.array(transcriptLineSchema).max(100),
})
export type ChainEntry = z.infer<typeof chainEntrySchema>

/** `same`: each node, branch and word; `words`: the same way, but something is said or done otherwise; `differs`: another way. */
const replayResults = ['same', 'words', 'differs', 'not_replayable'] as const

const replaySchema = z.object({
  result: z.enum(replayResults),
  /** Why it was not replayed to its end. */
  stop: z.enum(replayStops).optional(),
  /** Node at which the first difference begins. */
  nodeId: idSchema.optional(),
  /** First entries that differ; a side is missing where its chain has ended. */
  recorded: chainEntrySchema.optional(),
  replayed: chainEntrySchema.optional(),
})

const chainsSchema = z.object({
  /** Position of the first difference in both. */
  at: z.number().int().nonnegative().optional(),
  recorded: z.array(chainEntrySchema).max(maxChainEntries),
  replayed: z.array(chainEntrySchema).max(maxChainEntries),
})

const replayedRunSchema = replaySchema.extend({
  run: runSchema,
  /** Recorded and replayed chains; of a single run only. */
  chains: chainsSchema.optional(),
})
export type ReplayedRun = z.infer<typeof replayedRunSchema>

const replayOfSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recent'),
    limit: z.number().int().min(1).max(maxReplayedRuns).default(20),
    outcome: z.enum(runOutcomes).optional(),
  }),
  z.object({ kind: z.literal('run'), runId: idSchema }),
])
export type ReplayOf = z.input<typeof replayOfSchema>

/** Endpoints by which runs of bots, or of workflows, are replayed. */
export const replayEndpoints = <const K extends FlowKind>(kind: K) => ({
  replay: defineEndpoint({
    operation: `${kind}s.replay`,
    method: 'POST',
    path: `/api/${kind}s/:id/replay`,
    access: 'session',
    permission: `${kind}s:write`,
    audit: 'none',
    summary:
      'Plays ended runs once more against the draft, or the flow that is sent, with their recorded inputs, facts and answers; nothing is sent, stored or called.',
    params: byId,
    body: z.object({ draft: draftFlowSchema.optional(), of: replayOfSchema }),
    bodyLimitBytes: flowBodyBytes,
    repeatable: true,
    status: 200,
    response: z.object({ items: z.array(replayedRunSchema).max(maxReplayedRuns) }),
    errors: ['not_found', 'wrong_state'],
  }),
})
