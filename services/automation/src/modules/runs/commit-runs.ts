import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import type { Effects } from './world.ts'

export type CommitRuns = ReturnType<typeof createCommitRuns>

/** Stores a changed run together with the effects of its inputs. */
export function createCommitRuns({
  runs,
  attention,
  transaction,
  askMessaging,
  tell,
}: Pick<Platform, 'transaction' | 'askMessaging'> & {
  readonly runs: RunsRepository
  readonly attention: Pick<AttentionService, 'raise'>
  /** Wakes the lanes of stored runs, and tells pages. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
}) {
  /** @returns whether it was stored: nobody else has changed the run since it was read. */
  return async (scope: WorkspaceScope, run: RunRecord, effects: Effects): Promise<boolean> => {
    const { started, passed } = effects
    if (effects.attention.length === 0 && started.length === 0) {
      if ((await runs.save(scope, [run], {})) === 0) return false
    } else {
      const isStored = await transaction(async (tx) => {
        if ((await runs.save(scope, [run], tx)) === 0) return false
        if (started.length > 0) await runs.insert(scope, started, tx)
        await attention.raise(scope, effects.attention, tx)
        return true
      })
      if (!isStored) return false
    }
    tell(scope, [run, ...started])
    if (passed.size > 0) {
      // Should the hint be lost, assignment takes them after a minute.
      const body = { upTo: 0, passed: [...passed] }
      await askMessaging(scope, messagingInternalApi.read, { body }).catch(() => undefined)
    }
    return true
  }
}
