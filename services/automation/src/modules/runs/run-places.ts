import { holdsConversation } from '@parley/flow/state'
import type { RunEnd } from './inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { World } from './world.ts'

const dayMs = 86_400_000
/** Days for which a run is kept after its end. */
const keptDays = 90
/** Days after which a run ends, wherever it is. */
const maxLifeDays = 60

/** Schedules a run for a moment. */
export function wakeAt(run: RunRecord, dueFor: RunRecord['dueFor'], at: number): void {
  run.dueFor = dueFor
  run.dueAt = new Date(at)
  run.dueLane = run.home
}

/** Lets a run wait at its node. */
export async function waitOn(run: RunRecord, world: World): Promise<void> {
  const { state } = run
  const isHolding = holdsConversation(state, world.now)
  if (isHolding && !run.holds && (await world.isHeldByAnother(run)))
    return endRun(run, { outcome: 'superseded' }, world.now)
  run.status = 'waiting'
  run.holds = isHolding || undefined
  const lastsUntil = run.createdAt.getTime() + maxLifeDays * dayMs
  const until = state.wait?.until ?? lastsUntil
  wakeAt(run, until < lastsUntil ? 'timer' : 'end', Math.min(until, lastsUntil))
}

/** Ends a run, and deletes its knowledge of the person. */
export function endRun(run: RunRecord, { outcome, reason, code }: RunEnd, now: number): void {
  run.status = 'ended'
  run.outcome = outcome
  run.reason = reason
  run.code = code
  run.endedAt = new Date(now)
  run.expireAt = new Date(now + keptDays * dayMs)
  run.state = { ...run.state, status: 'ended', wait: null, session: {}, lastAnswer: '' }
  for (const field of [
    'live',
    'holds',
    'todo',
    'lane',
    'retryAt',
    'dueAt',
    'dueFor',
    'dueLane',
    'collect',
    'ending',
  ] as const) {
    run[field] = undefined
  }
  run.inbox = []
}
