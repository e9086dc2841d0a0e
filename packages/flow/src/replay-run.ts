import { type ChainEntry, maxReplayInputs, maxReplaySteps, type ReplayStop } from '@parley/contracts/automation/replays'
import type { Outcome, StepResult } from './actions.ts'
import { namesOf, resultsOf } from './actions.ts'
import { pointersOf } from './fill-call.ts'
import type { FlowInput } from './inputs.ts'
import { step } from './interpreter.ts'
import { matchTrigger } from './keywords.ts'
import { changedBy } from './play-script.ts'
import type { Program } from './program.ts'
import { chainDifference, chainOf } from './replay-chain.ts'
import type { Facts, FlowState } from './state.ts'

/** One input that a run took, with everything that its step depended on. */
export interface RecordedInput {
  /** Version that took it. */
  readonly program: Program
  /** Number of the input in its run, from 1. */
  readonly inputNo: number
  readonly input: FlowInput
  readonly facts: Facts
  /** Results of the actions, in their order. */
  readonly outcomes: readonly Outcome[]
  /** True where a person or another run took the conversation before all of it was done. */
  readonly brokenOff?: boolean | undefined
  /** Nodes that were passed, with the branches by which they were left. */
  readonly path: readonly Pick<StepResult['trace'][number], 'nodeId' | 'branch'>[]
  /** State in which the run, or its part in this flow, began; absent: that after the input before. */
  readonly before?: FlowState | undefined
}

/** Comparison of a recorded run with what a draft would have done. `at` and `nodeId` are those of the first difference. */
export interface Replay {
  readonly result: 'same' | 'words' | 'differs' | 'not_replayable'
  readonly stop?: ReplayStop | undefined
  readonly at?: number | undefined
  readonly nodeId?: string | undefined
  readonly recorded: readonly ChainEntry[]
  readonly replayed: readonly ChainEntry[]
}

/** One of both sides while it is played. */
interface Side {
  state: FlowState
  readonly chain: ChainEntry[]
  steps: number
}

/** The draft's side. */
interface DraftSide extends Side {
  readonly program: Program
  stop: ReplayStop | undefined
  /** The customer as the draft leaves them, and its clock, from where both have parted; absent: as recorded. */
  own: Pick<Facts, 'person' | 'now'> | undefined
  /** Actions of its last step that were done. */
  changes: StepResult['actions']
  /** Answers of other systems that were given, by node. */
  readonly given: Map<string, number>
}

/**
 * Plays a recorded run against a draft. While both go the same way the draft gets the recorded inputs and facts as they are; where
 * they have parted it gets what customers and other systems said, and its timers are its own. Sends, stores and calls nothing.
 * @param goesOn whether the draft may go on by itself after the last input: nobody has taken the run away.
 */
export function replayRun(inputs: readonly RecordedInput[], draft: Program, { goesOn }: { goesOn: boolean }): Replay {
  const start = inputs[0]?.before
  if (!start) return notReplayable(inputs.length === 0 ? 'no_record' : 'gap')
  if (inputs.length > maxReplayInputs) return notReplayable('too_long')
  const was: Side = { state: start, chain: [], steps: 0 }
  const now: DraftSide = {
    state: start,
    chain: [],
    steps: 0,
    program: draft,
    stop: undefined,
    own: undefined,
    changes: [],
    given: new Map(),
  }
  for (const recorded of inputs) {
    const before = was.state
    const begun = was.chain.length
    const result = playRecorded(was, recorded)
    if (typeof result === 'string') return notReplayable(result)
    if (now.stop || now.state.status === 'ended') continue
    const { input, facts } = recorded
    const known = { results: resultsOf(result, recorded.outcomes), brokenOff: recorded.brokenOff }
    // A wait of another length ends at another time, whatever came in the meantime.
    if (!now.own && before.wait?.until !== now.state.wait?.until) part(now, facts)
    if (now.own) {
      passTime(now, facts, inputs)
      const own = ownInput(now, input, before)
      if (own && now.own) give(now, own, { ...facts, ...now.own }, known)
    } else {
      const from = now.chain.length
      playTogether(now, recorded, known)
      if (chainDifference(was.chain.slice(begun), now.chain.slice(from))?.kind === 'differs') part(now, facts)
    }
    answerCalls(now, facts, inputs)
  }
  const last = inputs.at(-1)
  if (last && goesOn) passTime(now, { ...last.facts, now: Number.POSITIVE_INFINITY }, inputs)
  return compared(was, now)
}

const notReplayable = (stop: ReplayStop): Replay => ({ result: 'not_replayable', stop, recorded: [], replayed: [] })

function compared({ chain }: Side, now: DraftSide): Replay {
  const { stop, own, chain: replayed } = now
  // Entries that were not replayed are no difference.
  const difference = chainDifference(stop && !own ? chain.slice(0, replayed.length) : chain, replayed)
  const chains = { stop, recorded: chain, replayed }
  return difference
    ? { ...chains, result: difference.kind, at: difference.at, nodeId: difference.nodeId }
    : { ...chains, result: stop ? 'not_replayable' : 'same' }
}

function playRecorded(
  was: Side,
  { program, input, facts, outcomes, path, before, inputNo, brokenOff }: RecordedInput,
): StepResult | ReplayStop {
  if (before) was.state = before
  if (was.state.inputNo + 1 !== inputNo) return 'gap'
  const result = step(program, was.state, input, facts, brokenOff ? [] : outcomes)
  if (!result.consumed || pathOf(result.trace) !== pathOf(path)) return 'record_differs'
  add(was, input, { result, outcomes, now: facts.now })
  return was.steps > maxReplaySteps ? 'too_long' : result
}

const pathOf = (path: RecordedInput['path']) => path.map(({ nodeId, branch = '' }) => `${nodeId}>${branch}`).join('\n')

function add(side: Side, input: FlowInput, done: Parameters<typeof chainOf>[1]): void {
  side.chain.push(...chainOf(input, done))
  side.steps += done.result.trace.length
  if (done.result.consumed) side.state = done.result.state
}

/** Lets the draft's side go its own way from here. */
function part(now: DraftSide, { person, now: time }: Facts): void {
  now.own = { person: now.changes.reduce(changedBy, person), now: time }
}

/** Gives the draft an input as it was recorded. */
function playTogether(now: DraftSide, { input, facts, program }: RecordedInput, known: Known): void {
  const nodeId = now.state.nodeId ?? ''
  if (input.type === 'start_at' && !now.program.nodes.has(input.nodeId)) now.stop = 'node_gone'
  if (input.type === 'http_answer') {
    now.given.set(nodeId, (now.given.get(nodeId) ?? 0) + 1)
    if (!holdsAnswer(now.program, nodeId, program)) now.stop = 'no_answer'
  }
  if (!now.stop) give(now, input, facts, known)
}

/** Returns whether a recorded answer has the values that the draft takes out of it. */
function holdsAnswer(draft: Program, nodeId: string, recorded: Program): boolean {
  const picked = new Set(pointersOf(recorded.nodes.get(nodeId)?.settings))
  return pointersOf(draft.nodes.get(nodeId)?.settings).every((pointer) => picked.has(pointer))
}

/** Results of a recorded step's actions. */
interface Known {
  readonly results: ReadonlyMap<string, Outcome>
  readonly brokenOff?: boolean | undefined
}

/** Steps the draft: what was refused at a node is refused there again. */
function give(now: DraftSide, input: FlowInput, facts: Facts, { results, brokenOff }: Known = { results: new Map() }) {
  const asked = now.state.status === 'idle' ? startFor(now.program, input, facts) : input
  const outcomes: Outcome[] = []
  let result = step(now.program, now.state, asked, facts)
  while (outcomes.length < result.actions.length) {
    const outcome = results.get(namesOf(result)[outcomes.length] ?? '') ?? { outcome: 'done' as const }
    outcomes.push(outcome)
    if (outcome.outcome === 'refused' && !brokenOff) result = step(now.program, now.state, asked, facts, outcomes)
  }
  add(now, input, { result, outcomes, now: facts.now })
  if (now.steps > maxReplaySteps) now.stop = 'too_long'
  now.changes = result.actions.filter((_, index) => outcomes[index]?.outcome === 'done')
  if (now.own) now.own = { ...now.own, person: now.changes.reduce(changedBy, now.own.person) }
}

/** The first message finds its trigger anew: the draft may have others. Fragments that followed it did not decide. */
function startFor(program: Program, input: FlowInput, { conversation }: Facts): FlowInput {
  const [first] = input.type === 'message' ? input.parts : []
  if (input.type !== 'message' || !first) return input
  const said = { numberId: '', text: first.text, contentType: first.contentType }
  const match = matchTrigger(program.routing, { ...said, isFirst: conversation?.isFirst ?? false })
  const { triggerId: _, ...message } = input
  return match ? { ...message, triggerId: match.nodeId } : message
}

/** Returns what an input is to a draft that has gone another way; `undefined` where it is nothing: timers are its own. */
function ownInput({ state }: DraftSide, input: FlowInput, before: FlowState): FlowInput | undefined {
  switch (input.type) {
    case 'message': {
      const { choice, ...typed } = input
      const isOpen = choice && state.wait?.inputNo === choice.inputNo && state.nodeId === before.nodeId
      return isOpen ? input : typed
    }
    case 'not_delivered':
      return state.wait && state.nodeId === before.nodeId ? { ...input, inputNo: state.wait.inputNo } : undefined
    case 'timer':
    case 'http_answer':
      return undefined
    default:
      return input
  }
}

/** Lets the draft's own timers fire up to a moment; after the end of the record only those of waits for a time. */
function passTime(now: DraftSide, facts: Facts, inputs: readonly RecordedInput[]): void {
  const isOver = facts.now === Number.POSITIVE_INFINITY
  while (now.own && !now.stop) {
    const { wait } = now.state
    if (wait?.until === undefined || wait.until > facts.now || (isOver && wait.for !== 'time')) break
    now.own = { ...now.own, now: Math.max(now.own.now, wait.until) }
    give(now, { type: 'timer', inputNo: wait.inputNo }, { ...facts, ...now.own })
    answerCalls(now, facts, inputs)
  }
  if (now.own && !isOver) now.own = { ...now.own, now: Math.max(now.own.now, facts.now) }
}

/** Gives a draft that has gone another way the answers of other systems that its calls got in the record. */
function answerCalls(now: DraftSide, facts: Facts, inputs: readonly RecordedInput[]): void {
  while (now.own && !now.stop && now.state.wait?.for === 'http') {
    const { nodeId, wait } = now.state
    const given = now.given.get(nodeId ?? '') ?? 0
    const answer = inputs.filter(({ input, path }) => input.type === 'http_answer' && path[0]?.nodeId === nodeId)[given]
    if (answer?.input.type !== 'http_answer' || !holdsAnswer(now.program, nodeId ?? '', answer.program)) {
      now.stop = 'no_answer'
      return
    }
    now.given.set(nodeId ?? '', given + 1)
    give(now, { ...answer.input, inputNo: wait.inputNo }, { ...facts, ...now.own })
  }
}
