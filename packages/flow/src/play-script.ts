import { type FlowAction, type FlowEnd, isSending, type Outcome, type StepResult } from './actions.ts'
import { wordsOf } from './answers.ts'
import { notJson, pointersOf, takeValues } from './fill-call.ts'
import type { FlowInput, MessagePart } from './inputs.ts'
import { step } from './interpreter.ts'
import { matchTrigger, normalizeText } from './keywords.ts'
import type { Program } from './program.ts'
import { loopReason, withSent, wouldLoop } from './send-limits.ts'
import { type Facts, type FlowState, holdsConversation, idleState, type Person } from './state.ts'

/** One line of a script: an act of the customer, of a member, of the clock or of the platform. */
export type ScriptLine =
  /** Message of the customer; several parts are fragments of one. */
  | { readonly type: 'message'; readonly parts: readonly MessagePart[] }
  /** Taps the newest option of this title, on whichever question it stands. */
  | { readonly type: 'tap'; readonly title: string }
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'handed_over' }
  | Extract<FlowInput, { type: 'event' }>
  /** Answer of another system; `uncertain`: none came, and the call may have been done. */
  | {
      readonly type: 'http_answer'
      readonly ok: boolean
      readonly body: string
      readonly uncertain?: boolean | undefined
    }
  /** Has the next action of this type refused. */
  | { readonly type: 'refuse'; readonly action: FlowAction['type']; readonly code: string }

export interface Script extends Pick<Facts, 'hours' | 'attributes' | 'settings'> {
  /** Time at which it begins, in milliseconds since 1970. */
  readonly at: number
  readonly person: Person
  readonly lines: readonly ScriptLine[]
}

export type TranscriptEntry =
  | { readonly by: 'customer'; readonly text: string; readonly contentType: string }
  /** `handed_over`, or an event that workflows start on. */
  | { readonly by: 'event'; readonly event: string }
  | { readonly by: 'bot'; readonly action: FlowAction; readonly nodeId: string | null; readonly refused?: string }
  | { readonly by: 'end'; readonly end: FlowEnd }
  /** A wait as it was drawn: for a time, or for a reply at most so long. */
  | { readonly by: 'wait'; readonly for: 'time' | 'reply'; readonly seconds: number }
  /** An input that this flow leaves to other bots, or to people: no trigger fits it, or the flow waits for something else. */
  | { readonly by: 'passed'; readonly because: 'no_trigger' | 'waiting' }

/** A script as far as it was played. */
export interface Play extends Omit<Script, 'at' | 'lines'> {
  readonly now: number
  readonly state: FlowState
  /** True before the first message, and after the conversation was closed. */
  readonly isFirst: boolean
  readonly refusals: readonly { readonly action: FlowAction['type']; readonly code: string }[]
  readonly entries: readonly TranscriptEntry[]
  /** Times of the last automated messages. */
  readonly sentAt: readonly number[]
  /** Number of inputs that were given. */
  readonly inputs: number
  /** Nodes that the last input passed. */
  readonly visited: readonly string[]
}

export const startPlay = ({ at, lines: _lines, ...known }: Script): Play => ({
  ...known,
  now: at,
  state: idleState,
  isFirst: true,
  refusals: [],
  entries: [],
  sentAt: [],
  inputs: 0,
  visited: [],
})

/** Plays a script through one flow, as the server does: the same steps, with the outcomes of actions. */
export const playScript = (program: Program, script: Script): Play['entries'] =>
  script.lines.reduce((play, line) => playLine(program, play, line), startPlay(script)).entries

/** Plays the next line. */
export function playLine(program: Program, play: Play, line: ScriptLine): Play {
  switch (line.type) {
    case 'refuse':
      return { ...play, refusals: [...play.refusals, { action: line.action, code: line.code }] }
    case 'wait':
      return passTime(program, play, play.now + line.seconds * 1000)
    case 'message':
      return hear(program, play, line.parts)
    case 'tap': {
      const choice = optionOf(play.entries, line.title)
      const parts = [{ contentType: 'interactive', text: line.title }]
      return choice ? give(program, heard(play, parts), { type: 'message', parts, choice }) : hear(program, play, parts)
    }
    case 'http_answer':
      return give(program, play, { ...answerOf(program, play, line), inputNo: play.state.wait?.inputNo ?? 0 })
    case 'handed_over':
    case 'event': {
      const what = { by: 'event' as const, event: line.type === 'event' ? line.event : line.type }
      return give(program, { ...play, entries: [...play.entries, what] }, line)
    }
  }
}

/** Reads a played answer as the server does: one of which nothing can be taken fails. */
function answerOf(program: Program, { state }: Play, line: Extract<ScriptLine, { type: 'http_answer' }>) {
  const common = { type: 'http_answer', values: {} } as const
  if (line.uncertain) return { ...common, result: 'uncertain' } as const
  if (!line.ok) return { ...common, result: 'failed', code: 'http_status' } as const
  const pointers = pointersOf(program.nodes.get(state.nodeId ?? '')?.settings)
  const values = pointers.length > 0 ? takeValues(pointers, line.body) : {}
  return values
    ? ({ ...common, result: 'ok', values } as const)
    : ({ ...common, result: 'failed', code: notJson } as const)
}

/** Inputs, timers among them, after which nothing more happens: a long wait in a circle of short ones would never come to its end. */
export const maxPlayInputs = 500

/** Moves the clock, and fires the timers that fall due on the way, each at its own time. */
function passTime(program: Program, play: Play, until: number): Play {
  const { wait } = play.state
  if (wait?.until === undefined || wait.until > until || play.inputs >= maxPlayInputs)
    return { ...play, now: Math.max(play.now, until) }
  const due = give(program, { ...play, now: Math.max(play.now, wait.until) }, { type: 'timer', inputNo: wait.inputNo })
  return passTime(program, due, until)
}

/** Gives what a customer has written. A keyword that interrupts ends what was open and begins anew, as on the server. */
function hear(program: Program, play: Play, parts: readonly MessagePart[]): Play {
  const index = parts.findIndex((part) => isInterrupting(program, play, part))
  if (index === -1) return give(program, heard(play, parts), { type: 'message', parts })
  if (index > 0) return hear(program, hear(program, play, parts.slice(0, index)), parts.slice(index))
  const [first, rest] = [parts.slice(0, 1), parts.slice(1)]
  const begun = give(program, heard({ ...play, state: idleState }, first), { type: 'message', parts: first })
  return rest.length > 0 ? hear(program, begun, rest) : begun
}

function isInterrupting(program: Program, { state, now, isFirst }: Play, { text, contentType }: MessagePart): boolean {
  // Messages wait for the answer of another system.
  if (!holdsConversation(state, now) || state.wait?.for === 'http') return false
  return matchTrigger(program.routing, { numberId: '', text, contentType, isFirst })?.interrupts === true
}

const heard = (play: Play, parts: readonly MessagePart[]): Play => ({
  ...play,
  entries: [
    ...play.entries,
    ...parts.map((part) => ({ by: 'customer' as const, text: wordsOf(part), contentType: part.contentType })),
  ],
})

function optionOf(entries: Play['entries'], title: string): { inputNo: number; id: string } | undefined {
  const wanted = normalizeText(title)
  for (const entry of entries.toReversed()) {
    if (entry.by !== 'bot' || entry.action.type !== 'send' || entry.action.content.type !== 'interactive') continue
    const option = entry.action.content.options.find((one) => normalizeText(one.title) === wanted)
    const [inputNo, id] = option?.id.split('.') ?? []
    if (inputNo !== undefined && id !== undefined) return { inputNo: Number(inputNo), id }
  }
  return undefined
}

function give(program: Program, before: Play, input: FlowInput): Play {
  if (before.inputs >= maxPlayInputs) return before
  return taken(program, { ...before, inputs: before.inputs + 1 }, input)
}

function taken(program: Program, play: Play, input: FlowInput): Play {
  const { now, person, hours, attributes, settings, isFirst } = play
  const facts: Facts = { now, person, hours, attributes, settings, conversation: { isFirst } }
  const before = play.state.status === 'ended' ? idleState : play.state
  const again = (known: readonly Outcome[]) => step(program, before, input, facts, known)
  const first = again([])
  const sending = first.actions.filter(isSending).length
  if (first.consumed && wouldLoop(play.sentAt, sending, now)) return stopped(play, first)
  const { result, outcomes, refusals } = settle(again, play.refusals)
  if (!result.consumed) {
    const because = before.status === 'waiting' ? 'waiting' : 'no_trigger'
    return input.type === 'timer' ? play : { ...play, entries: [...play.entries, { by: 'passed', because }] }
  }
  const nodes = result.trace.flatMap(({ nodeId, actions }) => Array.from({ length: actions }, () => nodeId))
  const done = result.actions.map((action, index): TranscriptEntry => {
    const code = outcomes[index]?.code
    return { by: 'bot', action, nodeId: nodes[index] ?? null, ...(code !== undefined && { refused: code }) }
  })
  const kept = result.actions.filter((_, index) => outcomes[index]?.outcome === 'done')
  return {
    ...play,
    state: result.state,
    person: kept.reduce(changedBy, person),
    isFirst: kept.some(({ type }) => type === 'close') || (isFirst && input.type !== 'message'),
    refusals,
    entries: [...play.entries, ...done, ...stopOf(result, now)],
    sentAt: withSent(play.sentAt, sending, now),
    visited: result.trace.map(({ nodeId }) => nodeId),
  }
}

/** Stops a flow that sends too much at once, as the server does: none of it is sent, and a bot's conversation goes to people. */
function stopped(play: Play, { state }: StepResult): Play {
  const actions: FlowAction[] = play.settings
    ? [
        { type: 'note', text: loopReason },
        { type: 'release', attention: true },
      ]
    : []
  const done = actions.map((action): TranscriptEntry => ({ by: 'bot', action, nodeId: null }))
  const end: TranscriptEntry = { by: 'end', end: { outcome: 'loop', message: loopReason } }
  return {
    ...play,
    state: { ...state, status: 'ended', wait: null },
    entries: [...play.entries, ...done, end],
    visited: [],
  }
}

/** Tells where a step has stopped: at its end, or at a wait that was drawn. */
export function stopOf({ end, state: { wait } }: Pick<StepResult, 'end' | 'state'>, now: number): TranscriptEntry[] {
  if (end) return [{ by: 'end', end }]
  if ((wait?.for !== 'time' && wait?.for !== 'reply') || wait.until === undefined) return []
  return [{ by: 'wait', for: wait.for, seconds: Math.round((wait.until - now) / 1000) }]
}

/** Tries the actions in their order; after a refusal the same input is stepped again with what is known. */
function settle(again: (outcomes: readonly Outcome[]) => StepResult, pending: Play['refusals']) {
  const outcomes: Outcome[] = []
  let refusals = pending
  let result = again(outcomes)
  while (outcomes.length < result.actions.length) {
    const action = result.actions[outcomes.length]
    const refusal = refusals.find((one) => one.action === action?.type)
    if (!refusal) {
      outcomes.push({ outcome: 'done' })
      continue
    }
    refusals = refusals.filter((one) => one !== refusal)
    outcomes.push({ outcome: 'refused', code: refusal.code })
    result = again(outcomes)
  }
  return { result, outcomes, refusals }
}

/** Returns the person as an action leaves them. */
export function changedBy(person: Person, action: FlowAction): Person {
  if (action.type === 'set_attribute')
    return { ...person, attributes: { ...person.attributes, [action.attribute]: action.value } }
  if (action.type !== 'add_tag' && action.type !== 'remove_tag') return person
  const others = person.tags.filter((tag) => tag.toLowerCase() !== action.tag.toLowerCase())
  return { ...person, tags: action.type === 'add_tag' ? [...others, action.tag] : others }
}
