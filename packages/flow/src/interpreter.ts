import { refusalSentence } from '@parley/contracts/automation/refusals'
import type { FlowEnd, Outcome, StepResult } from './actions.ts'
import { textOf } from './answers.ts'
import { matchesGroup } from './conditions.ts'
import { fail, handOver, letGo } from './endings.ts'
import { readField } from './fields.ts'
import type { FlowInput } from './inputs.ts'
import { matchTrigger, saysWord } from './keywords.ts'
import { type Left, leaveBy, takesFragments } from './leave.ts'
import { perform } from './perform.ts'
import type { Program, ProgramNode } from './program.ts'
import type { Facts, FlowState, Wait } from './state.ts'
import { leaveTrace, startTurn, type Turn } from './turn.ts'
import { maxTextLength } from './variables.ts'

/** Maximum nodes that one input may pass. A flow that would continue is stopped: it runs in a cycle. */
export const maxStepsPerInput = 100

/**
 * Moves one run on by one input, and stops where the flow waits or ends. It knows no clock and calls nothing: time and person
 * come in with the facts, everything to be done goes out as actions. The same arguments give the same result; with the
 * outcomes of actions that were tried, the actions up to a refused one are the same, and its node is left by `failed`.
 * An input for which the run has no use changes nothing (`consumed: false`), nor does one of a run that has ended. Never throws
 * for a flow that `draftFlowSchema` accepts.
 */
export function step(
  program: Program,
  state: FlowState,
  input: FlowInput,
  facts: Facts,
  outcomes: readonly Outcome[] = [],
): StepResult {
  const turn = startTurn(state, facts, outcomes, input.type === 'event' ? input.values : undefined)
  if (state.status === 'waiting' && state.nodeId !== null && state.wait)
    return resume(program, state, { nodeId: state.nodeId, wait: state.wait, input, turn })
  const start = state.status === 'idle' ? startOf(program, input, turn) : undefined
  if (start === undefined) return { state, actions: [], trace: [], consumed: false }
  if (input.type === 'message') turn.lastAnswer = textOf(input.parts).slice(0, maxTextLength)
  if (start.asksForPerson) return ended(turn, start.nodeId, handOver(turn, 'The customer asks for a person.'))
  return run(program, turn, start.nodeId)
}

/** Returns the trigger that an input starts. */
function startOf(program: Program, input: FlowInput, turn: Turn): { nodeId: string; asksForPerson?: true } | undefined {
  const { facts } = turn
  if (input.type === 'handed_over') return program.handedOver === undefined ? undefined : { nodeId: program.handedOver }
  if (input.type === 'start_at') return program.nodes.has(input.nodeId) ? { nodeId: input.nodeId } : undefined
  if (input.type === 'event') {
    const [first] = program.events
    const isByHand = input.event === 'manual'
    // A member may start a workflow that waits for other events, too: its filters ask for what has not happened.
    if (isByHand && first && !program.events.some(({ settings }) => settings.event === 'manual'))
      return { nodeId: first.nodeId }
    const read = (field: string) =>
      input.fields && Object.hasOwn(input.fields, field) ? input.fields[field] : readField(turn, field)
    return program.events.find(
      ({ nodeId, settings: { event, filter } }) =>
        event === input.event &&
        (input.triggerId === undefined || input.triggerId === nodeId) &&
        (!filter || matchesGroup(filter, read, new Date(facts.now))),
    )
  }
  if (input.type !== 'message') return undefined
  const text = textOf(input.parts)
  const contentType = input.parts[0]?.contentType ?? 'text'
  const isFirst = facts.conversation?.isFirst ?? false
  const match = matchTrigger(program.routing, { numberId: '', text, contentType, isFirst })
  const nodeId = input.triggerId ?? match?.nodeId
  if (nodeId === undefined) return undefined
  const isAny = program.nodes.get(nodeId)?.settings?.kind === 'any_message'
  const asks = isAny && saysWord(text, facts.settings?.handOverWords ?? [])
  return { nodeId, ...(asks && { asksForPerson: true }) }
}

function resume(
  program: Program,
  state: FlowState,
  { nodeId, wait, input, turn }: { nodeId: string; wait: Wait; input: FlowInput; turn: Turn },
): StepResult {
  const node = program.nodes.get(nodeId)
  if (!node?.settings) return ended(turn, nodeId, fail(turn, 'The node at which this session waited is gone.'))
  const left = leaveBy(node.settings, wait, input, turn)
  const actions = turn.actions.length
  switch (left.to) {
    case 'nothing':
      return { state, actions: [], trace: [], consumed: false }
    case 'wait':
      leaveTrace(turn, { nodeId, actions })
      return waiting(turn, nodeId, wait)
    case 'people':
      leaveTrace(turn, { nodeId, actions })
      return ended(turn, nodeId, handOver(turn, left.why))
    case 'branch': {
      // A flow without a branch for an unknown outcome takes that of a failure.
      const isDrawn = left.branch !== 'uncertain' || node.targets.has(left.branch)
      const branch = isDrawn ? left.branch : 'failed'
      leaveTrace(turn, { nodeId, branch, actions })
      const target = node.targets.get(branch)
      return target === undefined ? ended(turn, nodeId, endOf({ ...left, branch }, turn)) : run(program, turn, target)
    }
  }
}

const failureOf = ({ facts, refusal }: Turn) => refusalSentence(facts.settings ? 'bot' : 'workflow', refusal)

/** Returns the end of a run whose branch leads nowhere. */
function endOf({ branch, otherwise, why }: Extract<Left, { to: 'branch' }>, turn: Turn): FlowEnd {
  if (otherwise === 'abandon') return { outcome: turn.assigned ? 'handed_over' : 'abandoned' }
  if (otherwise === 'hand_over') return handOver(turn, why ?? failureOf(turn))
  if (branch === 'failed' || branch === 'uncertain') return fail(turn, failureOf(turn))
  return { outcome: turn.assigned ? 'handed_over' : 'completed' }
}

/** Performs node after node. */
function run(program: Program, turn: Turn, first: string): StepResult {
  let nodeId = first
  for (let passed = 0; passed < maxStepsPerInput; passed += 1) {
    const node = program.nodes.get(nodeId)
    if (!node) return ended(turn, turn.trace.at(-1)?.nodeId ?? nodeId, fail(turn, 'The next node does not exist.'))
    const moved = pass(node, turn)
    if ('target' in moved) nodeId = moved.target
    else if ('wait' in moved) return waiting(turn, nodeId, { ...moved.wait, inputNo: turn.inputNo })
    else return ended(turn, nodeId, moved.end)
  }
  const message = `The flow runs in a loop: it was stopped after ${maxStepsPerInput} nodes.`
  return ended(turn, nodeId, fail(turn, message, 'loop'))
}

type Moved = { readonly target: string } | { readonly wait: Omit<Wait, 'inputNo'> } | { readonly end: FlowEnd }

function pass({ id: nodeId, settings, problem, targets }: ProgramNode, turn: Turn): Moved {
  if (!settings) {
    leaveTrace(turn, { nodeId, actions: 0 })
    return { end: fail(turn, problem ?? 'Check the settings.') }
  }
  const before = turn.actions.length
  const done = perform(settings, turn)
  const actions = turn.actions.length - before
  if (!('branch' in done)) {
    leaveTrace(turn, { nodeId, actions })
    return done
  }
  leaveTrace(turn, { nodeId, branch: done.branch, actions })
  const target = targets.get(done.branch)
  return target === undefined ? { end: endOf({ to: 'branch', branch: done.branch }, turn) } : { target }
}

const waiting = (turn: Turn, nodeId: string, wait: Wait): StepResult => ({
  state: stateOf(turn, { status: 'waiting', nodeId, wait }),
  actions: turn.actions,
  trace: turn.trace,
  consumed: true,
})

function ended(turn: Turn, nodeId: string, end: FlowEnd): StepResult {
  letGo(turn, end)
  // The actions of the ending belong to the node at which the run ends.
  const last = turn.trace.pop() ?? { nodeId, actions: 0 }
  const counted = turn.trace.reduce((sum, { actions }) => sum + actions, 0)
  leaveTrace(turn, { ...last, actions: turn.actions.length - counted })
  return {
    state: stateOf(turn, { status: 'ended', nodeId, wait: null }),
    actions: turn.actions,
    trace: turn.trace,
    consumed: true,
    end,
  }
}

const stateOf = (turn: Turn, position: Pick<FlowState, 'status' | 'nodeId' | 'wait'>): FlowState => ({
  ...position,
  inputNo: turn.inputNo,
  session: turn.session,
  ...(Object.keys(turn.formOf).length > 0 && { formOf: turn.formOf }),
  lastAnswer: turn.lastAnswer,
  tries: turn.tries,
  assigned: turn.assigned,
})

/**
 * Returns whether a message waits for more of it before it is given to {@link step}: customers write one question in several
 * messages. Keywords, taps, typed titles and answers that are complete in themselves are applied at once.
 */
export function waitsForMore(
  program: Program,
  state: FlowState,
  input: Extract<FlowInput, { type: 'message' }>,
  facts: Facts,
): boolean {
  if (state.status === 'waiting') {
    const settings = program.nodes.get(state.nodeId ?? '')?.settings
    return settings !== undefined && takesFragments(settings, state, input, facts)
  }
  const start = startOf(program, input, startTurn(state, facts, []))
  return (
    start !== undefined && !start.asksForPerson && program.nodes.get(start.nodeId)?.settings?.kind === 'any_message'
  )
}
