import { idleState } from '@parley/flow/state'
import { hasAnswered } from './actions-of.ts'
import { awaitsCall, giveItem, handle } from './give-item.ts'
import type { InboundMessage, InboxItem, Todo } from './inputs.ts'
import { leaveToPeople, leftOf } from './left-messages.ts'
import { endRun, waitOn } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import { routeMessage } from './start-run.ts'
import { stepRecords } from './step-records.ts'
import { aboutRun, endBy, takeInput, toPeople } from './take-input.ts'
import { leaveUndelivered, undeliveredIn } from './undelivered.ts'
import type { Effects, World } from './world.ts'

/** Continues after all work of a run is done. */
export async function settle(run: RunRecord, done: Todo | undefined, world: World, effects: Effects): Promise<void> {
  run.todo = undefined
  run.lane = undefined
  run.retryAt = undefined
  if (done && hasAnswered(done)) run.unanswered = undefined
  else if (done?.message) run.unanswered = true
  if (done) run.inbox = run.inbox.map((item) => placed(item, stepRecords(run, done, undefined)))
  if (done?.end?.toBot !== undefined) await goToBot(run, done, world, effects)
  else if (done?.end) await finish(run, done, world, effects)
  else if (run.ending !== undefined) endBecause(run, run.ending, world.now)
  else await waitOn(run, world)
  await takeWaiting(run, world, effects)
}

/** Gives a run the inputs that have waited, the oldest first, for as long as it has nothing to do. */
export async function takeWaiting(run: RunRecord, world: World, effects: Effects): Promise<void> {
  while (run.live && !run.todo) {
    // Messages wait for the answer of another system.
    const isCalling = awaitsCall(run) && run.holds === true
    const next = run.inbox.find(({ kind }) => !isCalling || kind !== 'message')
    if (!next) break
    const later = run.inbox.slice(run.inbox.indexOf(next) + 1)
    run.inbox = run.inbox.filter((item) => item !== next)
    await handle(run, next, { world, effects, later })
  }
}

/** Names the node of a message that could not be delivered, as soon as the step that sent it is complete. */
function placed(item: InboxItem, steps: ReturnType<typeof stepRecords>): InboxItem {
  if (item.kind !== 'not_delivered' || item.nodeId !== undefined) return item
  const sent = steps.find(({ messageId }) => messageId === item.messageId)
  return sent ? { ...item, nodeId: sent.nodeId } : item
}

/** Ends a run on request: its conversation goes to people. */
export const endBecause = (run: RunRecord, reason: string, now: number): void =>
  endBy(run, toPeople(run, reason), { outcome: 'cancelled', reason }, now)

/** Continues a run as another bot: it stays one run, with a new leg. */
async function goToBot(run: RunRecord, done: Todo, world: World, effects: Effects): Promise<void> {
  const version = await world.published(done.end?.toBot ?? '')
  const person = done.stepped?.facts.person
  const message = hasAnswered(done) ? undefined : done.message
  if (version && person) {
    run.legs = [...run.legs, { flowId: run.flowId, number: run.number }].slice(-20)
    run.flowId = version.flowId
    run.number = version.number
    // The new leg claims the conversation in its own name.
    run.epoch = undefined
    const { inputNo, session, formOf } = run.state
    run.state = { ...idleState, inputNo, session, ...(formOf && { formOf }) }
    const received = { input: { type: 'handed_over' as const }, person, message, upTo: run.readUpTo }
    if (await takeInput(run, received, world, effects)) return
  }
  const reason = 'The bot that this one leads to is not published.'
  effects.attention.push({ ...aboutRun(run), code: 'failed', sentence: reason })
  endBy(run, toPeople(run, reason), { outcome: 'failed', reason }, world.now)
}

/** Outcomes after which the conversation has no owner: waiting inputs are routed as if there had been no session. */
const leavesToBots: ReadonlySet<string> = new Set(['completed', 'abandoned', 'superseded'])

async function finish(run: RunRecord, done: Todo, world: World, effects: Effects): Promise<void> {
  const end = done.end ?? { outcome: 'completed' }
  if (end.outcome === 'failed') {
    const sentence = end.reason ?? `The ${run.kind} could not go on.`
    effects.attention.push({ ...aboutRun(run), code: end.code ?? 'failed', sentence })
  }
  const isAside = run.kind === 'workflow' && run.epoch === undefined
  if (!leavesToBots.has(end.outcome) || run.state.assigned || isAside) {
    leaveToPeople(leftOf(run), effects)
    return endRun(run, end, world.now)
  }
  const lost = run.kind === 'bot' && end.outcome === 'completed' ? undeliveredIn(run) : undefined
  if (lost?.nodeId !== undefined) {
    run.followedUp = true
    leaveUndelivered(run, lost.nodeId, effects)
  }
  const unanswered = done.message && !hasAnswered(done) ? done.message : undefined
  const waiting = run.inbox.filter((item) => item.kind === 'message')
  const [first, ...rest] = unanswered ? [unanswered, ...waiting] : waiting
  // It would start the same bot again, also where that has gone on as another.
  const isStart = done.isStart || first?.eventId === run.startedBy.eventId
  const isWithPeople =
    first === undefined ? (run.missed ?? run.unanswered) : first === unanswered && (isStart || first.isRerouted)
  if (first && !isWithPeople) {
    const again: InboundMessage = first === unanswered ? { ...first, isRerouted: true } : first
    run.inbox = []
    const next = await routeMessage(again, world, effects)
    if (next) {
      endRun(run, end, world.now)
      for (const message of rest) await giveItem(next, message, world, effects)
      return
    }
  }
  if (first || isWithPeople) {
    run.missed = undefined
    run.inbox = []
    endBy(run, [{ type: 'release', attention: true }], end, world.now)
    return
  }
  endRun(run, end, world.now)
}
