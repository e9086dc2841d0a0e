import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { HooksRepository } from '../hooks/hooks.service.ts'
import { leftOf } from '../runs/left-messages.ts'
import { endRun } from '../runs/run-places.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import type { Effects, World } from '../runs/world.ts'

/** Runs that a batch of events changes, in its transaction. */
export interface RunChanges {
  readonly scope: WorkspaceScope
  /** Live runs of the people in the batch, by id. */
  readonly live: Map<string, RunRecord>
  readonly touched: Set<RunRecord>
  readonly effects: Effects
  readonly world: World
  readonly tx: Session
}

export interface ContactDependencies {
  readonly runs: RunsRepository
  readonly attention: Pick<AttentionService, 'forget'>
  /** Forgets calls to other systems for some runs. */
  readonly forgetCalls: (scope: WorkspaceScope, runIds: readonly string[], tx: Session) => Promise<void>
  /** Calls of other systems that named a contact. */
  readonly hookCalls: Pick<HooksRepository, 'forget' | 'merge'>
}

/** Applies the erasure and the merging of contacts to their runs. */
export function createContactChanges({ runs, attention, forgetCalls, hookCalls }: ContactDependencies) {
  /** A person is erased: their sessions end, and nothing that they said is kept. */
  async function erase(
    { contactId, conversationIds }: { contactId: string; conversationIds: readonly string[] },
    { scope, live, touched, world, tx, effects }: RunChanges,
  ): Promise<void> {
    for (const run of live.values()) if (run.contactId === contactId) forget(run, world.now, touched)
    for (const run of effects.started) if (run.contactId === contactId) forget(run, world.now, touched)
    const all = await runs.allOf(scope, contactId, tx)
    for (const run of all) if (!live.has(run.id)) forget(run, world.now, touched)
    await forgetCalls(
      scope,
      all.map(({ id }) => id),
      tx,
    )
    await hookCalls.forget(scope, contactId, tx)
    await attention.forget(scope, conversationIds, tx)
  }

  /** Two contacts have become one: runs of the other go on with the one that is kept, or give way to its own. */
  async function merge(
    { contactId, otherId }: { contactId: string; otherId: string },
    { scope, live, touched, world, tx, effects }: RunChanges,
  ): Promise<void> {
    await hookCalls.merge(scope, { contactId, otherId }, tx)
    const kept = await runs.slotsOf(scope, contactId, tx)
    const taken = new Set(kept.map(({ flowId }) => flowId))
    const enrolled = (await runs.slotsOf(scope, otherId, tx)).filter(({ id }) => !live.has(id))
    const alive = [...live.values()].filter((run) => run.live)
    for (const run of [...alive, ...enrolled]) {
      if (run.contactId !== otherId) continue
      const own = alive.find((one) => one.contactId === contactId && one.numberId === run.numberId && one.holds)
      const isTwice = run.slot !== undefined && taken.has(run.flowId)
      if (run.live && ((run.holds && own) || isTwice)) {
        // Its messages are in the other's thread.
        if (own?.conversationId !== undefined && leftOf(run).length > 0) effects.passed.add(own.conversationId)
        endRun(run, { outcome: 'superseded' }, world.now)
      }
      if (isTwice) run.slot = undefined
      run.contactId = contactId
      run.home = String(laneOf(contactId))
      // Its next words go to the thread of the contact that is kept.
      if (run.kind === 'workflow' && !run.holds) run.conversationId = undefined
      touched.add(run)
    }
  }

  return { erase, merge }
}

function forget(run: RunRecord, now: number, touched: Set<RunRecord>): void {
  if (run.live) endRun(run, { outcome: 'cancelled', reason: 'The customer was erased.' }, now)
  run.contactName = undefined
  run.state = { ...run.state, session: {}, formOf: {}, lastAnswer: '' }
  run.inbox = []
  run.collect = undefined
  run.todo = undefined
  run.recent = { sentAt: run.recent.sentAt }
  touched.add(run)
}
