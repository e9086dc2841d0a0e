import type { MergedThread } from '@parley/contracts/platform/event-data'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { HooksRepository } from '../hooks/hooks.service.ts'
import { giveItem } from '../runs/give-item.ts'
import type { InboxItem } from '../runs/inputs.ts'
import { leftOf } from '../runs/left-messages.ts'
import { endRun, isIdleOwner } from '../runs/run-places.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import type { Effects, World } from '../runs/world.ts'

type Merged = Extract<RecordedEvent, { type: 'contact.merged' }>['data']

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
  async function merge({ contactId, otherId, back, threads = [] }: Merged, changes: RunChanges): Promise<void> {
    if (back) return part({ contactId, otherId, threads }, changes)
    const { scope, live, touched, world, tx, effects } = changes
    await hookCalls.merge(scope, { contactId, otherId }, tx)
    const kept = await runs.slotsOf(scope, contactId, tx)
    const enrolled = (await runs.slotsOf(scope, otherId, tx)).filter(({ id }) => !live.has(id))
    const alive = [...live.values()].filter((run) => run.live)
    for (const run of [...alive, ...enrolled]) {
      if (run.contactId !== otherId) continue
      const own = alive.find((one) => one.contactId === contactId && one.numberId === run.numberId && one.holds)
      // One that took part for good leaves room for a run that has its place only while it lives.
      const isTaken = kept.some((one) => one.flowId === run.flowId && (one.live || run.slot === 'once'))
      const isTwice = run.slot !== undefined && isTaken
      if (run.live && ((run.holds && own) || isTwice)) {
        // Its messages are in the other's thread.
        if (own?.conversationId !== undefined && leftOf(run).length > 0) effects.passed.add(own.conversationId)
        endRun(run, { outcome: 'superseded' }, world.now)
      }
      if (isTwice) run.slot = undefined
      const thread = threads.find((one) => one.otherId === run.conversationId)
      move(run, contactId, run.live && thread?.keptId)
      // Its next words go to the thread of the contact that is kept.
      if (run.kind === 'workflow' && !run.holds && !thread) run.conversationId = undefined
      touched.add(run)
    }
    for (const thread of threads)
      for (const run of alive)
        if (run.conversationId === thread.keptId) await goOn(run, { thread, at: 'kept' }, changes)
  }

  /** One contact is two again: the session that the other one's thread has got back goes there. */
  async function part(
    { contactId, otherId, threads }: { contactId: string; otherId: string; threads: readonly MergedThread[] },
    changes: RunChanges,
  ): Promise<void> {
    for (const run of changes.live.values()) {
      const thread = threads.find(({ keptId }) => keptId === run.conversationId)
      if (!thread || run.contactId !== contactId) continue
      const isBack = thread.session === 'other' && (run.holds === true || isIdleOwner(run))
      if (isBack) move(run, otherId, thread.otherId)
      await goOn(run, { thread, at: isBack ? 'other' : 'kept' }, changes)
    }
  }

  return { erase, merge }
}

/** Moves a run to another contact, with what it has yet to take. */
function move(run: RunRecord, contactId: string, conversationId: string | undefined): void {
  run.contactId = contactId
  run.home = String(laneOf(contactId))
  run.lane &&= run.home
  run.dueLane &&= run.home
  if (conversationId === undefined) return
  run.conversationId = conversationId
  const moved = <T extends InboxItem>(item: T): T =>
    item.kind === 'message' ? { ...item, context: { ...item.context, contactId, conversationId } } : item
  run.inbox = run.inbox.map(moved)
  if (run.collect) run.collect = { ...run.collect, first: moved(run.collect.first) }
  if (run.todo?.message) run.todo = { ...run.todo, message: moved(run.todo.message) }
}

/** Lets a run go on under the epoch that its thread has got. A session ends where people have the thread. */
async function goOn(
  run: RunRecord,
  { thread, at }: { thread: MergedThread; at: 'kept' | 'other' },
  { touched, world, effects }: RunChanges,
): Promise<void> {
  const { epoch, inbox } = run
  if (!run.live || epoch === undefined) return
  touched.add(run)
  // Somebody has taken it before: the run takes notice of that next.
  if (inbox.some((item) => item.kind === 'owned' && item.epoch > epoch)) return
  if (thread.session === at || !run.holds) run.epoch = thread.epoch
  else await giveItem(run, { kind: 'owned', epoch: thread.epoch, reason: 'assigned' }, world, effects)
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
