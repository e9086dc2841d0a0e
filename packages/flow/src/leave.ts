import type { NodeSettings } from '@parley/contracts/automation/flow'
import { type BareEffect, promptOf, withAttribute } from './perform.ts'
import type { FlowInput, FlowState } from './state.ts'
import { maxTextLength } from './variables.ts'

interface Left {
  readonly state: FlowState
  readonly effects: readonly BareEffect[]
  /** The way out; absent while the flow goes on waiting. */
  readonly branch?: string
}

/** The longest value that an attribute takes. */
const maxAttributeLength = 1000

/** Applies an input to a flow that waits at a node. An input that the node does not wait for changes nothing. */
export function leaveBy(settings: NodeSettings, state: FlowState, input: FlowInput): Left {
  const stay: Left = { state, effects: [] }
  if (input.type === 'message') return onMessage(settings, state, input)
  if (input.type === 'time') {
    const wait = state.wait
    if (wait?.for !== 'time' && wait?.for !== 'reply') return stay
    if (input.at < wait.until) return stay
    return { ...stay, branch: wait.for === 'time' ? 'next' : 'timeout' }
  }
  if (input.type === 'http_answer' && settings.kind === 'http_call') {
    const { saveTo } = settings
    const keep = input.ok && saveTo !== undefined
    if (!keep) return { ...stay, branch: 'next' }
    const value = input.body.slice(0, maxAttributeLength)
    const effects: BareEffect[] = [{ type: 'set_attribute', attribute: saveTo, value }]
    return { state: withAttribute(state, saveTo, value), effects, branch: 'next' }
  }
  return stay
}

function onMessage(settings: NodeSettings, before: FlowState, input: Extract<FlowInput, { type: 'message' }>): Left {
  const text = input.text.trim().slice(0, maxTextLength)
  const state = { ...before, lastAnswer: text }
  if (settings.kind === 'ask') {
    const value = text.slice(0, maxAttributeLength)
    const effects: BareEffect[] = [{ type: 'set_attribute', attribute: settings.attribute, value }]
    return { state: withAttribute(state, settings.attribute, value), effects, branch: 'next' }
  }
  if (settings.kind === 'buttons' || settings.kind === 'list') {
    const choices = settings.kind === 'buttons' ? settings.choices : settings.rows
    const written = text.toLowerCase()
    const chosen =
      choices.find(({ id }) => id === input.choiceId) ?? choices.find(({ title }) => title.toLowerCase() === written)
    // A customer who types something else is shown the choices again.
    return chosen ? { state, effects: [], branch: chosen.id } : { state, effects: [promptOf(settings, state)] }
  }
  return settings.kind === 'wait_reply' ? { state, effects: [], branch: 'reply' } : { state, effects: [] }
}
