import { isSameTag } from '@parley/contracts/contacts/tags'
import type { FlowAction, Outcome, TraceStep } from './actions.ts'
import type { AttributeDefinition } from './answers.ts'
import { valueFor } from './answers.ts'
import type { Values } from './fields.ts'
import type { MessagePart } from './inputs.ts'
import type { SettingsOf } from './program.ts'
import { type Facts, type FlowState, maxSessionBytes, maxSessionVariables, type Person } from './state.ts'
import { fillVariables, maxTextLength } from './variables.ts'

/** One step while it runs: the state that it changes, and what it asks for. */
export interface Turn extends Values {
  readonly facts: Facts
  /** Number of this input. */
  readonly inputNo: number
  person: Person
  session: Readonly<Record<string, string>>
  /** Forms by the variables that they have written. */
  formOf: Readonly<Record<string, string>>
  lastAnswer: string
  tries: number
  assigned: boolean
  closed: boolean
  readonly actions: FlowAction[]
  readonly trace: TraceStep[]
  /** Set where a text of the node was cut off. */
  isCut: boolean
  /** Code of the last refusal. */
  refusal: string | undefined
  readonly outcomes: readonly Outcome[]
  /** Values that came with a call from outside, by their JSON pointer; absent where none has come. */
  readonly values: Readonly<Record<string, string>> | undefined
}

export const startTurn = (
  state: FlowState,
  facts: Facts,
  outcomes: readonly Outcome[],
  values?: Turn['values'],
): Turn => ({
  values,
  facts,
  inputNo: state.inputNo + 1,
  person: facts.person,
  session: state.session,
  formOf: state.formOf ?? {},
  lastAnswer: state.lastAnswer,
  tries: state.tries,
  assigned: state.assigned,
  closed: false,
  actions: [],
  trace: [],
  isCut: false,
  refusal: undefined,
  outcomes,
})

/** Requests an action. @returns false where it is known to be refused. */
export function act(turn: Turn, action: FlowAction): boolean {
  const outcome = turn.outcomes[turn.actions.length]
  turn.actions.push(action)
  if (outcome?.outcome !== 'refused') return true
  turn.refusal = outcome.code ?? 'refused'
  return false
}

/** Records that an action cannot be requested at all. */
export function refuse(turn: Turn, code: string): false {
  turn.refusal = code
  return false
}

/** Fills a text with the known values, cut to the maximum length: the step reports where it was cut. */
export function fill(turn: Turn, text: string, maxLength = maxTextLength): string {
  const filled = fillVariables(text, turn, { maxLength: Number.POSITIVE_INFINITY })
  if (filled.length > maxLength) turn.isCut = true
  return filled.slice(0, maxLength)
}

/** Records that a node was passed, or is stayed at. */
export function leaveTrace(turn: Turn, step: TraceStep): void {
  turn.trace.push({ ...step, ...(turn.isCut && { isCut: true as const }) })
  turn.isCut = false
}

/** Sends a text; one that is empty once it is filled cannot be sent. */
export function say(turn: Turn, text: string): boolean {
  const filled = fill(turn, text)
  return filled.trim() === ''
    ? refuse(turn, 'empty_text')
    : act(turn, { type: 'send', content: { type: 'text', text: filled } })
}

export const definitionOf = (turn: Turn, name: string): AttributeDefinition | undefined =>
  turn.facts.attributes?.find((one) => one.name === name)

/** Stores a value in a field of the contact, as its definition writes it. */
export function setAttribute(turn: Turn, attribute: string, text: string): boolean {
  const definition = definitionOf(turn, attribute)
  const value = definition ? valueFor(definition, text) : text
  if (value === undefined) return refuse(turn, 'invalid_value')
  if (!act(turn, { type: 'set_attribute', attribute, value })) return false
  turn.person = { ...turn.person, attributes: { ...turn.person.attributes, [attribute]: value } }
  return true
}

/** Keeps a value until the session ends. */
export function setSession(turn: Turn, name: string, value: string): boolean {
  const { [name]: _, ...formOf } = turn.formOf
  return replaceSession(turn, { ...turn.session, [name]: value }, formOf)
}

/** Replaces all variables; those that are more than a run holds are refused whole. */
function replaceSession(turn: Turn, session: Turn['session'], formOf: Turn['formOf']): boolean {
  const bytes = new TextEncoder().encode(JSON.stringify(session)).length
  if (Object.keys(session).length > maxSessionVariables || bytes > maxSessionBytes) return refuse(turn, 'session_full')
  turn.session = session
  turn.formOf = formOf
  return true
}

/**
 * Keeps mapped values of a JSON body. A variable that this body lacks becomes empty, or one of an earlier body would pass for it; a
 * field of the contact stays. Without any body nothing changes: a run that is tried again has its variables.
 */
export function keepValues(
  mappings: NonNullable<SettingsOf<'http_call'>['mappings']>,
  values: Turn['values'],
  turn: Turn,
): boolean {
  return (
    values === undefined ||
    mappings.every(({ pointer, attribute, save }) => {
      const value = Object.hasOwn(values, pointer) ? values[pointer] : undefined
      if (save === 'session') return setSession(turn, attribute, value ?? '')
      return value === undefined || setAttribute(turn, attribute, value)
    })
  )
}

/**
 * Keeps the answers of a form until the session ends, each by its question: all of them, or none where the session cannot hold
 * them. Those of an earlier filling go: a question that is left empty now would have the old answer.
 */
export function keepAnswers(
  { formId, screen = '' }: SettingsOf<'form'>,
  answers: NonNullable<MessagePart['answers']>,
  turn: Turn,
): boolean {
  // Another first screen asks for something else.
  const form = `${formId}/${screen}`
  const given = answers
    .map(({ question, answer }) => [answerName(question), answer] as const)
    .filter(([name]) => name !== '')
  const others = (values: Turn['session']) =>
    Object.entries(values).filter(([name]) => !Object.hasOwn(turn.formOf, name) || turn.formOf[name] !== form)
  return replaceSession(
    turn,
    Object.fromEntries([...others(turn.session), ...given]),
    Object.fromEntries([...others(turn.formOf), ...given.map(([name]) => [name, form] as const)]),
  )
}

/** Name of a question's answer: without the signs that end a variable in a text. */
const answerName = (question: string): string =>
  question
    .replaceAll(/[{}|\0\s]+/g, ' ')
    .trim()
    .slice(0, 64)

export function changeTag(turn: Turn, type: 'add_tag' | 'remove_tag', tag: string): boolean {
  if (!act(turn, { type, tag })) return false
  const others = turn.person.tags.filter((known) => !isSameTag(known, tag))
  turn.person = { ...turn.person, tags: type === 'add_tag' ? [...others, tag] : others }
  return true
}
