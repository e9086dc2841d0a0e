import { retriedOutcomes } from '@parley/contracts/automation/run-endpoints'
import { type FlowState, holdsConversation } from '@parley/flow/state'
import type { RunEnd, Todo } from './inputs.ts'
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

/** Returns when a run ends, wherever it is. */
export const lastDay = ({ createdAt }: Pick<RunRecord, 'createdAt'>): number =>
  createdAt.getTime() + maxLifeDays * dayMs

/** Lets a run wait at its node. */
export async function waitOn(run: RunRecord, world: World): Promise<void> {
  const { state } = run
  // A workflow leaves the conversation to others, unless it has asked something.
  const isHolding = holdsConversation(state, world.now) && (run.kind === 'bot' || asks(state))
  const holder = isHolding && !run.holds ? await world.otherHolder(run) : undefined
  if (holder) return giveWay(run, holder, world.now)
  run.status = 'waiting'
  run.holds = isHolding || undefined
  if (letGo(run, world.now)) return
  const lastsUntil = lastDay(run)
  const until = state.wait?.until ?? lastsUntil
  wakeAt(run, until < lastsUntil ? 'timer' : 'end', Math.min(until, lastsUntil))
}

/**
 * Has a run that does not listen to its customer leave the conversation to people, who are to answer what it has missed; it continues
 * beside them. @returns false where people have the conversation anyway, or nothing was missed.
 */
export function letGo(run: RunRecord, now: number): boolean {
  if (!run.missed || !isIdleOwner(run)) return false
  run.missed = undefined
  run.left = true
  // It is no input: a replay would miss one.
  const { inputNo } = run.state
  const actions = [{ key: `${run.id}.${inputNo}.left`, type: 'release' as const, attention: true }]
  setTodo(run, { inputNo, actions, results: [], trace: [], since: now, tries: 0 })
  return true
}

/** Returns whether a run owns its conversation, and does not listen to the customer. */
export const isIdleOwner = ({ epoch, holds, left, state }: RunRecord): boolean =>
  epoch !== undefined && !holds && !left && !state.assigned

/** Gives a run a `todo`. */
export function setTodo(run: RunRecord, todo: Todo): void {
  run.todo = todo
  run.status = 'working'
  run.lane = run.home
  run.retryAt = new Date(todo.since)
  run.dueAt = undefined
  run.dueFor = undefined
  run.dueLane = undefined
  run.collect = undefined
}

/** Milliseconds after which a run looks again whether the conversation is its own. */
const lookAgainMs = 1000

/**
 * Decides between two runs that have claimed one conversation at the same moment. Messaging has given it to the later claim, whose question
 * is the last that the customer has read: the earlier run ends, which its events may tell it a moment later.
 */
function giveWay(run: RunRecord, holder: Pick<RunRecord, 'epoch'>, now: number): void {
  if ((run.epoch ?? 0) <= (holder.epoch ?? 0)) {
    endRun(run, { outcome: 'superseded', reason: askedByAnother }, now)
    return
  }
  run.status = 'working'
  run.lane = run.home
  run.retryAt = new Date(now + lookAgainMs)
  run.todo = { inputNo: run.state.inputNo, actions: [], results: [], trace: [], since: now, tries: 0 }
}

/** Sentence on why a run has ended whose question was followed by one of another. */
export const askedByAnother = 'Another bot or workflow has asked the same customer something.'

/** Returns what a run's actions are about: the contact, while nothing was said. */
export const placeOf = ({ conversationId, contactId }: RunRecord) =>
  conversationId === undefined ? { contactId } : { conversationId }

/** Returns whether a run waits for the answer to a question. */
export const asks = ({ wait }: Pick<FlowState, 'wait'>): boolean => wait?.for === 'answer' || wait?.for === 'choice'

/** Ends a run, and deletes its knowledge of the person; a workflow that can be tried again keeps its variables. */
export function endRun(run: RunRecord, { outcome, reason, code }: RunEnd, now: number): void {
  run.status = 'ended'
  run.outcome = outcome
  run.uncounted = 'new'
  run.reason = reason
  run.code = code
  run.endedAt = new Date(now)
  run.expireAt = new Date(now + keptDays * dayMs)
  const isKept = run.kind === 'workflow' && retriedOutcomes.includes(outcome)
  run.state = { ...run.state, status: 'ended', wait: null, ...(!isKept && { session: {}, formOf: {}, lastAnswer: '' }) }
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
  // One that came to nothing has not taken part for good.
  const cameToNothing = (outcome === 'failed' || outcome === 'cancelled') && !run.acted
  if (run.slot === 'live' || cameToNothing) run.slot = undefined
}
