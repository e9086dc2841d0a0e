import { setImmediate } from 'node:timers/promises'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import { maxReplayedRuns, type ReplayedRun, type ReplayOf, type ReplayStop } from '@parley/contracts/automation/replays'
import type { RunOutcome } from '@parley/contracts/automation/runs'
import { compileFlow, type Program } from '@parley/flow/program'
import { type RecordedInput, type Replay, replayRun } from '@parley/flow/replay-run'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import { createReadTaken } from './read-taken.ts'
import type { RunInputs } from './run-inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { noSession, shown } from './runs.service.ts'

/** Milliseconds for which the runs of one request may play; each is bounded by its inputs and nodes. */
const maxPlayMs = 5000

/** Outcomes after which nobody had taken the run away: a draft may have gone on from there. */
const ownOutcomes: ReadonlySet<RunOutcome> = new Set(['completed', 'handed_over', 'abandoned', 'failed'])

interface Dependencies {
  readonly runs: Pick<RunsRepository, 'read' | 'collection'>
  readonly inputs: Pick<RunInputs, 'of'>
  readonly askMessaging: AskService
  readonly flows: {
    readonly program: (scope: WorkspaceScope, flowId: string, number: number) => Promise<Program | undefined>
    /** @throws `not_found` where there is no such flow. */
    readonly readDraft: (scope: WorkspaceScope, kind: FlowKind, id: string) => Promise<DraftFlow>
  }
}

/** Replays ended runs against a draft: reads records, and does nothing else. */
export function createReplayRuns({ runs, inputs, flows, askMessaging }: Dependencies) {
  const readTaken = createReadTaken({ inputs, askMessaging, program: flows.program })

  async function find(scope: WorkspaceScope, flowId: string, of: ReplayOf): Promise<RunRecord[]> {
    if (of.kind === 'run') {
      const run = isId(of.runId) ? await runs.read(scope, of.runId) : null
      if (!run || (run.flowId !== flowId && !run.legs.some((leg) => leg.flowId === flowId))) throw noSession()
      if (run.live) throw errors.wrongState('It has not ended yet. Replay it once it has.')
      return [run]
    }
    const { outcome, limit = maxReplayedRuns } = of
    return runs
      .collection(scope)
      .find({ flowId, status: 'ended', ...(outcome !== undefined && { outcome }) })
      .sort({ createdAt: -1 })
      .limit(limit)
      .hint(outcome === undefined ? 'newest' : 'outcome')
  }

  function replayed(run: RunRecord, read: RecordedInput[] | ReplayStop, draft: Program): Replay {
    if (typeof read === 'string') return { result: 'not_replayable', stop: read, recorded: [], replayed: [] }
    return replayRun(read, draft, { goesOn: run.outcome !== undefined && ownOutcomes.has(run.outcome) })
  }

  /** @throws `not_found`; `wrong_state` of a run that has not ended. */
  return async (
    scope: WorkspaceScope,
    { kind, id }: { readonly kind: FlowKind; readonly id: string },
    { draft, of }: { readonly draft?: DraftFlow | undefined; readonly of: ReplayOf },
  ): Promise<{ items: ReplayedRun[] }> => {
    const saved = await flows.readDraft(scope, kind, id)
    const program = compileFlow(draft ?? saved)
    const until = Date.now() + maxPlayMs
    const items: ReplayedRun[] = []
    const found = await find(scope, id, of)
    const reads = readTaken(scope, id, found)
    for (const run of found) {
      // Other requests have their turn between two runs.
      await setImmediate()
      const read = Date.now() > until ? undefined : (await reads.next()).value
      items.push(shownReplay(run, replayed(run, read ?? 'no_time', program), of.kind === 'run'))
    }
    return { items }
  }
}

function shownReplay(
  run: RunRecord,
  { result, stop, at, nodeId, recorded, replayed }: Replay,
  isWhole: boolean,
): ReplayedRun {
  const [was, is] = at === undefined ? [] : [recorded[at], replayed[at]]
  return {
    run: shown(run),
    result,
    ...(stop !== undefined && { stop }),
    ...(nodeId !== undefined && { nodeId }),
    ...(was && { recorded: was }),
    ...(is && { replayed: is }),
    ...(isWhole && { chains: { ...(at !== undefined && { at }), recorded: [...recorded], replayed: [...replayed] } }),
  }
}
