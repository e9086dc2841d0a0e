import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { CallRecord } from '../connections/module.ts'
import { createAskFacts } from './ask-facts.ts'
import type { CommitRuns } from './commit-runs.ts'
import type { Worlds } from './create-worlds.ts'
import { giveItem } from './give-item.ts'
import { personOf } from './person-of.ts'
import { endRun } from './run-places.ts'
import type { RunsRepository } from './runs.repository.ts'
import { aboutRun } from './take-input.ts'
import { noEffects } from './world.ts'

/**
 * Gives runs the results of their calls to other systems. A result that no run waits for any more changes nothing. Returns false for a run
 * that is held: it has the result once somebody has released it.
 */
export function createGiveAnswer({
  runs,
  worlds,
  commit,
  askMessaging,
  now,
}: Pick<Platform, 'askMessaging'> & {
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly commit: CommitRuns
  readonly now: () => Promise<number>
}) {
  const ask = createAskFacts(askMessaging)

  return async (
    scope: WorkspaceScope,
    { run: calling, state, values, status, code, ms, bytes }: CallRecord,
  ): Promise<boolean> => {
    for (;;) {
      if (!calling) return true
      const run = await runs.read(scope, calling.runId)
      if (!run?.live) return true
      if (run.status === 'held') return false
      const facts = await ask(scope, run)
      const world = worlds(scope, await now())
      const effects = noEffects()
      if (facts) {
        const item = {
          kind: 'http_answer' as const,
          inputNo: calling.inputNo,
          result: state === 'answered' ? ('ok' as const) : state === 'uncertain' ? state : ('failed' as const),
          values: values ?? {},
          status,
          code,
          ms,
          bytes,
          person: personOf(facts.snapshot.contact),
        }
        await giveItem(run, item, world, effects)
        if (state === 'uncertain')
          effects.attention.push({
            ...aboutRun(run),
            nodeId: calling.nodeId,
            code: 'uncertain',
            sentence:
              'A call to another system may have been done, although no answer came. Look there before you repeat it.',
          })
      } else endRun(run, { outcome: 'cancelled', reason: 'The conversation is gone.' }, world.now)
      if (await commit(scope, run, effects)) return true
    }
  }
}
