import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import { isSending } from '@parley/flow/actions'
import type { FlowInput } from '@parley/flow/inputs'
import { loopReason, withSent, wouldLoop } from '@parley/flow/send-limits'
import type { Person } from '@parley/flow/state'
import { actionsOf, claimsBefore, endOf, stepWith } from './actions-of.ts'
import type { InboundMessage, RunEnd } from './inputs.ts'
import { maxRunSteps } from './loop-limits.ts'
import { asks, setTodo } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import { type Effects, factsFor, type World } from './world.ts'

/** An input with the facts about its customer that a step needs. */
export interface ReceivedInput {
  readonly input: FlowInput
  readonly person: Person
  readonly message?: InboundMessage | undefined
  /** The newest message that is part of it, where that is not `message`. */
  readonly upTo?: string | undefined
  /** Events of its fragments, where it has several. */
  readonly eventIds?: readonly string[] | undefined
  /** True where it starts the session. */
  readonly isStart?: true | undefined
}

/**
 * Moves a run that has nothing to do on by one input: position, state and what is to be done change together.
 * @returns false where the run has no use for the input; nothing has changed then.
 */
export async function takeInput(
  run: RunRecord,
  received: ReceivedInput,
  world: World,
  effects: Effects,
): Promise<boolean> {
  const { input, person, message, eventIds, isStart } = received
  const version = await world.version(run.flowId, run.number)
  if (!version) {
    failRun(run, { reason: `This version of the ${run.kind} is gone.` }, world, effects)
    return true
  }
  const owns = run.kind === 'bot' || run.epoch !== undefined
  const facts = await factsFor(version, { person, isFirst: message?.isFirst, owns }, world)
  const stepped = { before: run.state, input, facts }
  const result = stepWith(version.program, stepped, [])
  if (!result.consumed) return false
  // A workflow may have several triggers for an event: its filters have chosen the one that fired.
  const trigger = input.type === 'event' ? result.trace[0] : undefined
  if (trigger) run.startedBy = { ...run.startedBy, triggerId: trigger.nodeId }
  if (!owns && asks(result.state) && (await world.otherHolder(run))) {
    const reason = 'The workflow could not ask: a bot is talking to the customer.'
    failRun(run, { reason, code: 'conversation_busy' }, world, effects)
    return true
  }
  const sending = result.actions.filter(isSending).length
  if (wouldLoop(run.recent.sentAt, sending, world.now) || run.steps + result.trace.length > maxRunSteps) {
    stopLoop(run, world, effects)
    return true
  }
  run.recent = { ...run.recent, sentAt: withSent(run.recent.sentAt, sending, world.now) }
  run.state = result.state
  run.readUpTo = received.upTo ?? message?.messageId ?? run.readUpTo
  setTodo(run, {
    inputNo: result.state.inputNo,
    stepped,
    message,
    ...(eventIds && { eventIds }),
    isStart,
    actions: actionsOf(run, result, { isClaimed: !claimsBefore(run, result), isStart, message }),
    results: [],
    trace: result.trace,
    end: endOf(result),
    since: world.now,
    tries: 0,
  })
  return true
}

/** Actions of the host without their keys, in the order in which they are to be done. */
type HostAction = InternalAction extends infer A ? (A extends { key: string } ? Omit<A, 'key'> : never) : never

/** Ends a run by actions that its flow did not ask for. */
export function endBy(run: RunRecord, actions: readonly HostAction[], end: RunEnd, now: number): void {
  const inputNo = run.state.inputNo + 1
  run.state = { ...run.state, inputNo }
  const keyed = actions.map((action, index) => ({ ...action, key: `${run.id}.${inputNo}.${index}` }) as InternalAction)
  setTodo(run, { inputNo, actions: keyed, results: [], trace: [], end, since: now, tries: 0 })
}

/** Ends a run that cannot continue; its conversation goes to people. */
function failRun(
  run: RunRecord,
  { reason, code }: { reason: string; code?: string },
  world: World,
  effects: Effects,
): void {
  effects.attention.push({ ...aboutRun(run), code: code ?? 'failed', sentence: reason })
  endBy(run, toPeople(run, reason), { outcome: 'failed', reason, code }, world.now)
}

/** Stops a run that is in a loop: its conversation goes to people. */
export function stopLoop(run: RunRecord, world: World, effects: Effects): void {
  effects.attention.push({ ...aboutRun(run), ...loopNotice(run, world.now) })
  endBy(run, toPeople(run, loopReason), { outcome: 'loop', reason: loopReason }, world.now)
}

/** Reports once a day that a flow was stopped in a conversation. */
export function loopNotice(of: { flowId: string; conversationId?: string | undefined }, now: number) {
  const { flowId, conversationId } = of
  const day = new Date(now).toISOString().slice(0, 10)
  return {
    code: 'loop',
    sentence: loopReason,
    groupKey: `loop:${flowId}:${conversationId}:${day}`,
    flowId,
    conversationId,
  }
}

/** Ends the session of a customer who has opted out: nothing is sent, and their messages stay unread for people. */
export function endForOptOut(run: RunRecord, now: number): void {
  const reason = 'The customer has opted out.'
  const text = `${reason} The ${run.kind} has ended its ${run.kind === 'bot' ? 'session' : 'run'}.`
  const actions: HostAction[] = isSilent(run) ? [] : [{ type: 'note', text }]
  if (run.holds) actions.push({ type: 'release' })
  endBy(run, actions, { outcome: 'cancelled', reason, code: 'opted_out' }, now)
}

/** Returns whether a run ends without a trace in the conversation: a workflow that has not claimed it. */
const isSilent = ({ kind, epoch }: Pick<RunRecord, 'kind' | 'epoch'>): boolean =>
  kind === 'workflow' && epoch === undefined

/** Returns actions that give the conversation of a run to people, with the reason. */
export const toPeople = (run: Pick<RunRecord, 'kind' | 'epoch'>, reason: string): HostAction[] =>
  isSilent(run)
    ? []
    : [
        { type: 'note', text: reason },
        { type: 'release', attention: true },
      ]

/** Fields of an attention entry that name its run. */
export const aboutRun = ({ id, flowId, conversationId, state }: RunRecord) => ({
  runId: id,
  flowId,
  conversationId,
  ...(state.nodeId !== null && { nodeId: state.nodeId }),
})
