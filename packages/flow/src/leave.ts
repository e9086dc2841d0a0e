import { defaultTries, type NodeSettings } from '@parley/contracts/automation/flow'
import { answersIn, readAnswer, textOf } from './answers.ts'
import type { FlowInput } from './inputs.ts'
import { normalizeText, saysWord } from './keywords.ts'
import { prompt } from './perform.ts'
import type { SettingsOf } from './program.ts'
import type { FlowState, Wait } from './state.ts'
import { definitionOf, keepAnswers, keepValues, say, setAttribute, setSession, type Turn } from './turn.ts'
import { maxTextLength } from './variables.ts'

type Message = Extract<FlowInput, { type: 'message' }>

/** Result of an input at a node that waits. */
export type Left =
  /** Continues by a branch; where that leads nowhere, `otherwise` says how the run ends. */
  | {
      readonly to: 'branch'
      readonly branch: string
      readonly otherwise?: 'abandon' | 'hand_over'
      readonly why?: string
    }
  /** Stays at the node and keeps waiting. */
  | { readonly to: 'wait' }
  | { readonly to: 'people'; readonly why: string }
  /** Has no use for the input. */
  | { readonly to: 'nothing' }

const nothing: Left = { to: 'nothing' }
const by = (branch: string): Left => ({ to: 'branch', branch })

/** Applies an input to a run that waits at a node. */
export function leaveBy(settings: NodeSettings, wait: Wait, input: FlowInput, turn: Turn): Left {
  switch (input.type) {
    case 'message':
      return onMessage(settings, wait, input, turn)
    case 'timer':
      return onTimer(wait, input.inputNo, turn.facts.now)
    case 'http_answer':
      return settings.kind === 'http_call' && input.inputNo === wait.inputNo ? onAnswer(settings, input, turn) : nothing
    case 'not_delivered':
      if (input.inputNo !== wait.inputNo || (wait.for !== 'answer' && wait.for !== 'choice')) return nothing
      turn.refusal = 'not_delivered'
      return { ...failed, why: 'A question of the bot could not be delivered.' }
    case 'event':
    case 'start_at':
    case 'handed_over':
      return nothing
  }
}

const failed = { to: 'branch', branch: 'failed', otherwise: 'hand_over' } as const

function onTimer(wait: Wait, inputNo: number, now: number): Left {
  // A timer of an earlier wait may come late.
  if (inputNo !== wait.inputNo || wait.until === undefined || now < wait.until) return nothing
  if (wait.for === 'time') return by('next')
  return { to: 'branch', branch: 'timeout', otherwise: 'abandon' }
}

function onAnswer(
  { mappings = [] }: SettingsOf<'http_call'>,
  { result, code, values }: Extract<FlowInput, { type: 'http_answer' }>,
  turn: Turn,
): Left {
  if (result !== 'ok') {
    turn.refusal = result === 'uncertain' ? 'uncertain' : (code ?? 'call_failed')
    return by(result)
  }
  return by(keepValues(mappings, values, turn) ? 'next' : 'failed')
}

function onMessage(settings: NodeSettings, wait: Wait, input: Message, turn: Turn): Left {
  if (wait.for === 'http') return nothing
  const text = textOf(input.parts)
  const asksForPerson = !turn.assigned && saysWord(text, turn.facts.settings?.handOverWords ?? [])
  const toPeople = () => {
    turn.lastAnswer = text.slice(0, maxTextLength)
    return { to: 'people', why: 'The customer asks for a person.' } as const
  }
  // A pause has no use for anything else.
  if (wait.for === 'time') return asksForPerson && !input.choice ? toPeople() : nothing
  const chosen =
    settings.kind === 'buttons' || settings.kind === 'list' ? choiceOf(settings, wait, input, text) : undefined
  if (chosen !== undefined) {
    turn.lastAnswer = chosen.title
    return by(chosen.id)
  }
  const answers = answersIn(input.parts)
  if (settings.kind === 'form' && answers && (!input.choice || input.choice.inputNo === wait.inputNo)) {
    turn.lastAnswer = text.slice(0, maxTextLength)
    return by(keepAnswers(settings, answers, turn) ? 'next' : 'failed')
  }
  if (input.choice && wait.for !== 'reply') {
    // A tap on an older question asks the open one again, and costs no try.
    if (isQuestion(settings)) return prompt(settings, turn, wait.inputNo) ? { to: 'wait' } : failed
    return nothing
  }
  if (asksForPerson) return toPeople()
  if (settings.kind === 'wait_reply') {
    turn.lastAnswer = text.slice(0, maxTextLength)
    return by('reply')
  }
  if (!isQuestion(settings)) return nothing
  turn.lastAnswer = text.slice(0, maxTextLength)
  if (settings.kind !== 'ask') return again(settings, wait, turn)
  const isContact = settings.save !== 'session'
  const definition = isContact ? definitionOf(turn, settings.attribute) : undefined
  const value = readAnswer(settings.expects ?? 'text', input.parts, definition)
  if (value === undefined) return again(settings, wait, turn)
  if (text === '') turn.lastAnswer = value
  const isSaved = isContact
    ? setAttribute(turn, settings.attribute, value)
    : setSession(turn, settings.attribute, value)
  return isSaved ? by('next') : by('failed')
}

type Question = SettingsOf<'ask' | 'buttons' | 'list' | 'form'>

const isQuestion = (settings: NodeSettings): settings is Question =>
  settings.kind === 'ask' || settings.kind === 'buttons' || settings.kind === 'list' || settings.kind === 'form'

/** Returns the chosen option: tapped on the open question, or its title typed. */
function choiceOf(settings: SettingsOf<'buttons' | 'list'>, wait: Wait, { choice }: Message, text: string) {
  const choices = settings.kind === 'buttons' ? settings.choices : settings.rows
  if (choice) return choice.inputNo === wait.inputNo ? choices.find(({ id }) => id === choice.id) : undefined
  const written = normalizeText(text)
  return choices.find(({ title }) => normalizeText(title) === written)
}

/** Handles an answer that does not fit: the question is asked again, until the tries are used up. */
function again(settings: Question, wait: Wait, turn: Turn): Left {
  turn.tries += 1
  if (turn.tries >= (settings.tries ?? defaultTries))
    return { to: 'branch', branch: 'invalid', otherwise: 'hand_over', why: 'The bot did not understand the answer.' }
  const isAsked =
    (settings.kind === 'ask' || settings.kind === 'form') && settings.invalidText !== undefined
      ? say(turn, settings.invalidText)
      : prompt(settings, turn, wait.inputNo)
  return isAsked ? { to: 'wait' } : failed
}

/**
 * Returns whether a message waits for more of it: customers write one question in several messages. Taps, typed titles and
 * answers that are complete in themselves are applied at once.
 */
export function takesFragments(
  settings: NodeSettings,
  state: FlowState,
  input: Message,
  facts: Turn['facts'],
): boolean {
  if (!state.wait || input.choice) return false
  const text = textOf(input.parts)
  if (saysWord(text, facts.settings?.handOverWords ?? [])) return false
  if (settings.kind === 'buttons' || settings.kind === 'list')
    return choiceOf(settings, state.wait, input, text) === undefined
  if (settings.kind === 'wait_reply') return true
  if (settings.kind === 'form') return answersIn(input.parts) === undefined
  if (settings.kind !== 'ask') return false
  const expects = settings.expects ?? 'text'
  return expects === 'text' || expects === 'any' || readAnswer(expects, input.parts) === undefined
}
