import type { NodeSettings } from '@parley/contracts/automation/flow'
import { isOpen, isTimeZone } from './business-hours.ts'
import { compare } from './conditions.ts'
import { readField, valuesOf } from './fields.ts'
import type { EndReason, FlowEffect, FlowState, Wait } from './state.ts'
import { fillVariables, inAddress, inJson } from './variables.ts'

type WithoutNode<T> = T extends unknown ? Omit<T, 'nodeId'> : never
/** An effect before it is known which node asks for it. */
export type BareEffect = WithoutNode<FlowEffect>

/** Result of a node when the flow arrives: it stops to wait, ends, or continues by `branch`. */
interface Performed {
  readonly state: FlowState
  readonly effects: readonly BareEffect[]
  readonly branch: string
  readonly wait?: Wait
  readonly ended?: { readonly reason: EndReason; readonly message?: string }
}

/** Performs one node. @param at the host's clock, milliseconds since 1970. */
export function perform(settings: NodeSettings, state: FlowState, at: number): Performed {
  const values = valuesOf(state)
  const fill = (text: string) => fillVariables(text, values)
  const go = (branch: string, ...effects: BareEffect[]): Performed => ({ state, effects, branch })
  const stop = (wait: Wait, ...effects: BareEffect[]): Performed => ({ state, effects, branch: 'next', wait })
  const finish = (reason: EndReason, message?: string, ...effects: BareEffect[]): Performed => {
    return { state, effects, branch: 'next', ended: { reason, ...(message !== undefined && { message }) } }
  }
  const choose = (holds: boolean) => go(holds ? 'yes' : 'no')
  const now = new Date(at)

  switch (settings.kind) {
    case 'keyword':
    case 'any_message':
    case 'event':
      return go('next')
    case 'send_text':
      return go('next', { type: 'send_text', text: fill(settings.text) })
    case 'send_template': {
      const variables = Object.fromEntries(Object.entries(settings.variables).map(([name, text]) => [name, fill(text)]))
      return go('next', { type: 'send_template', templateId: settings.templateId, variables })
    }
    case 'ask':
      return stop({ for: 'answer' }, { type: 'send_text', text: fill(settings.text) })
    case 'buttons':
    case 'list':
      return stop({ for: 'choice' }, promptOf(settings, state))
    case 'set_attribute': {
      const value = fillVariables(settings.value, values, { maxLength: 1000 })
      const changed = withAttribute(state, settings.attribute, value)
      return { ...go('next', { type: 'set_attribute', attribute: settings.attribute, value }), state: changed }
    }
    case 'add_tag': {
      const { tag } = settings
      return { ...go('next', { type: 'add_tag', tag }), state: withTag(state, tag) }
    }
    case 'assign':
      return go('next', { type: 'assign', to: settings.to })
    case 'http_call': {
      const url = fillVariables(settings.url, values, { encode: inAddress })
      const body = settings.body && fillVariables(settings.body, values, { encode: inJson, maxLength: 10_000 })
      return stop({ for: 'http' }, { type: 'http_call', method: settings.method, url, ...(body && { body }) })
    }
    case 'go_to_bot':
      return finish('go_to_bot', undefined, { type: 'go_to_bot', botId: settings.botId })
    case 'end':
      return finish('end')
    case 'business_hours':
      return isTimeZone(settings.timeZone) ? choose(isOpen(settings, now)) : finish('problem', 'Choose a time zone.')
    case 'attribute':
      return choose(compare(readField(state, settings.attribute), settings.comparison, settings.value, now))
    case 'tag':
      return choose(compare(state.person.tags, 'contains', settings.tag, now))
    case 'last_answer':
      return choose(compare(state.lastAnswer, settings.comparison, settings.value, now))
    case 'wait_time': {
      const until = at + settings.seconds * 1000
      return stop({ for: 'time', until }, { type: 'wake', at: until })
    }
    case 'wait_reply': {
      const until = at + settings.timeoutSeconds * 1000
      return stop({ for: 'reply', until }, { type: 'wake', at: until })
    }
  }
}

/** Returns the choices that the customer is shown. */
export function promptOf(settings: Extract<NodeSettings, { kind: 'buttons' | 'list' }>, state: FlowState): BareEffect {
  const text = fillVariables(settings.text, valuesOf(state), { maxLength: 1024 })
  return settings.kind === 'buttons'
    ? { type: 'send_buttons', text, choices: settings.choices }
    : { type: 'send_list', text, button: settings.button, rows: settings.rows }
}

/** The state with an attribute of the person set. */
export const withAttribute = (state: FlowState, attribute: string, value: string): FlowState => ({
  ...state,
  person: { ...state.person, attributes: { ...state.person.attributes, [attribute]: value } },
})

function withTag(state: FlowState, tag: string): FlowState {
  const has = state.person.tags.some((known) => known.toLowerCase() === tag.toLowerCase())
  return has ? state : { ...state, person: { ...state.person, tags: [...state.person.tags, tag] } }
}
