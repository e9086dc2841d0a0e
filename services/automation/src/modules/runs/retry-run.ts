import type { Retry } from '@parley/contracts/automation/run-endpoints'
import type { Run } from '@parley/contracts/automation/runs'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import { createRetryRuns, type RetryRefusal } from './retry-runs.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { noSession, shown } from './runs.service.ts'

interface Dependencies extends Pick<Platform, 'transaction'>, Omit<Parameters<typeof createRetryRuns>[0], 'runs'> {
  readonly runs: RunsRepository
  readonly attention: Pick<AttentionService, 'raise' | 'settle'>
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
}

/** Creates another try of one failed run. */
export function createRetryRun({ runs, attention, tell, transaction, ...tools }: Dependencies) {
  const retries = createRetryRuns({ runs, attention, ...tools })

  /**
   * Tries a run again.
   * @returns the new run. @throws `not_found`; `node_gone`; `step_uncertain`; `wrong_state` with a sentence on what is in the way.
   */
  return async (scope: WorkspaceScope, id: string, how: Retry): Promise<Run> => {
    const run = isId(id) ? await runs.read(scope, id) : null
    if (!run) throw noSession()
    const facts = await retries.readFacts(scope, run.flowId, [run])
    if (!facts) throw errors.wrongState('The workflow is paused. Start it, then try the run again.')
    const again = await transaction(async (tx) => {
      const { effects, refused } = await retries.retry(scope, [id], { how, facts, tx })
      const refusal = refused.get(id)
      if (refusal) throw refusalOf(refusal, run)
      await attention.raise(scope, effects.attention, tx)
      return effects.started
    })
    tell(scope, again)
    const [first] = again
    if (!first) throw errors.internal()
    return shown(first)
  }
}

function refusalOf(refusal: RetryRefusal, { retriedBy, outcome }: RunRecord): Error {
  switch (refusal) {
    case 'node_gone':
      return new AppError(
        'node_gone',
        'This version has no such step. Choose another step, or the version that it ran on.',
      )
    case 'uncertain':
      return new AppError(
        'step_uncertain',
        'A step of this run may have been done although no answer came. Look whether it was, then say that it may be repeated.',
      )
    case 'enrolled':
      return errors.wrongState('The contact has another run of this workflow meanwhile.')
    case 'gone':
      return errors.wrongState('The contact is gone, or has no address to write to.')
    case 'wrong_state':
      return errors.wrongState(
        retriedBy !== undefined || outcome === undefined
          ? 'It was tried again already, or has not ended.'
          : 'Only a failed run of a workflow can be tried again.',
      )
  }
}
