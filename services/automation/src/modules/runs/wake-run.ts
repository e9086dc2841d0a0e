import type { Logger } from '@parley/service-kit/core/logger'
import type { AskService } from '../../platform/platform.ts'
import { createAskFacts } from './ask-facts.ts'
import type { CommitRuns } from './commit-runs.ts'
import type { Worlds } from './create-worlds.ts'
import { applyCollected } from './give-item.ts'
import { personOf } from './person-of.ts'
import { endRun, lastDay, waitOn, wakeAt } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import { endBecause, takeWaiting } from './settle.ts'
import { aboutRun, takeInput } from './take-input.ts'
import { type Effects, noEffects, type World } from './world.ts'

/** Milliseconds after the end of a wait from which a person is asked whether the run should still continue. */
const overdueMs = 6 * 3_600_000

/** Continues runs that are due. */
export function createWakeRun({
  worlds,
  commit,
  askMessaging,
  now,
  logger,
}: {
  worlds: Worlds
  commit: CommitRuns
  askMessaging: AskService
  now: () => Promise<number>
  logger: Logger
}) {
  const ask = createAskFacts(askMessaging)

  async function change(run: RunRecord, world: World, effects: Effects): Promise<void> {
    const { dueAt, dueFor } = run
    run.dueAt = undefined
    run.dueFor = undefined
    run.dueLane = undefined
    // The run ends once its work is done; a restored run that is held does nothing more.
    if (run.todo && run.status !== 'held') return
    if (run.ending !== undefined) return endBecause(run, run.ending, world.now)
    if (dueFor === 'end') return endBecause(run, 'It has lasted 60 days.', world.now)
    if (dueAt && world.now - dueAt.getTime() > overdueMs) {
      run.status = 'held'
      wakeAt(run, 'end', lastDay(run))
      run.reason = 'It should have gone on more than six hours ago.'
      const sentence = `${run.kind === 'bot' ? 'Sessions' : 'Runs'} should have gone on more than six hours ago. Let them go on, or end them.`
      effects.attention.push({ ...aboutRun(run), code: 'held', sentence, groupKey: `held:${run.flowId}` })
      return
    }
    if (dueFor === 'collect') {
      await applyCollected(run, world, effects)
      return takeWaiting(run, world, effects)
    }
    const facts = await ask({ workspaceId: run.workspaceId }, run)
    if (!facts) return endRun(run, { outcome: 'cancelled', reason: 'The conversation is gone.' }, world.now)
    const input = { type: 'timer' as const, inputNo: run.state.wait?.inputNo ?? run.state.inputNo }
    const person = personOf(facts.snapshot.contact)
    if (await takeInput(run, { input, person }, world, effects)) return
    // One that was held is released before it is due: what came meanwhile is still to be taken.
    await waitOn(run, world)
    await takeWaiting(run, world, effects)
  }

  return async (run: RunRecord): Promise<void> => {
    const scope = { workspaceId: run.workspaceId }
    const effects = noEffects()
    const isChanged = await change(run, worlds(scope, await now()), effects).then(
      () => true,
      (error: unknown) => {
        // The run stays due, and the next sweep finds it.
        logger.warn({ err: error, runId: run.id }, 'a run could not go on in time')
        return false
      },
    )
    if (isChanged) await commit(scope, run, effects)
  }
}
