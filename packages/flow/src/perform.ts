import type { NodeSettings } from '@parley/contracts/automation/flow'
import { isOpen } from '@parley/contracts/inbox/open-time'
import type { FlowEnd } from './actions.ts'
import { compare } from './conditions.ts'
import { giveToPeople } from './endings.ts'
import { readField } from './fields.ts'
import { fillCall } from './fill-call.ts'
import type { SettingsOf } from './program.ts'
import type { Wait } from './state.ts'
import { act, changeTag, fill, keepValues, refuse, say, setAttribute, type Turn } from './turn.ts'

/** Result of a node when the flow arrives: it continues by a branch, stops to wait, or ends. */
type Performed = { readonly branch: string } | { readonly wait: Omit<Wait, 'inputNo'> } | { readonly end: FlowEnd }

type Question = SettingsOf<'ask' | 'buttons' | 'list' | 'form'>

const waysOn = (done: boolean): Performed => ({ branch: done ? 'next' : 'failed' })
const choose = (holds: boolean): Performed => ({ branch: holds ? 'yes' : 'no' })

/** Performs one node. */
export function perform(settings: NodeSettings, turn: Turn): Performed {
  const { facts } = turn
  const now = new Date(facts.now)
  switch (settings.kind) {
    case 'keyword':
    case 'any_message':
    case 'handed_over':
    case 'event':
    case 'schedule':
      return { branch: 'next' }
    case 'hook':
      return waysOn(keepValues(settings.mappings ?? [], turn.values, turn))
    case 'send_text':
      return waysOn(say(turn, settings.text))
    case 'send_media':
      return waysOn(sendMedia(settings, turn))
    case 'send_template': {
      const variables = Object.entries(settings.variables).map(([name, text]) => [name, fill(turn, text, 1024)])
      const { templateId } = settings
      return waysOn(act(turn, { type: 'send_template', templateId, variables: Object.fromEntries(variables) }))
    }
    case 'ask':
    case 'buttons':
    case 'list':
    case 'form':
      return ask(settings, turn)
    case 'set_attribute':
      return waysOn(setAttribute(turn, settings.attribute, fill(turn, settings.value, 1000)))
    case 'add_tag':
    case 'remove_tag':
      return waysOn(changeTag(turn, settings.kind, settings.tag))
    case 'assign':
      return waysOn(giveToPeople(turn, settings.to, settings.note && fill(turn, settings.note, 1000)))
    case 'close':
      turn.closed = act(turn, { type: 'close' })
      return turn.closed ? { end: { outcome: turn.assigned ? 'handed_over' : 'completed' } } : { branch: 'failed' }
    case 'http_call':
      return call(settings, turn)
    case 'go_to_bot':
      return { end: { outcome: 'completed', toBot: settings.botId } }
    case 'end':
      return { end: { outcome: turn.assigned ? 'handed_over' : 'completed' } }
    case 'business_hours': {
      const hours = settings.hours.use === 'own' ? settings.hours : facts.hours
      return choose(hours === undefined || isOpen(hours, now))
    }
    case 'attribute':
      return choose(compare(readField(turn, settings.attribute), settings.comparison, settings.value, now))
    case 'tag':
      return choose(compare(turn.person.tags, 'contains', settings.tag, now))
    case 'last_answer':
      return choose(compare(turn.lastAnswer, settings.comparison, settings.value, now))
    case 'wait_time':
      return { wait: { for: 'time', until: facts.now + settings.seconds * 1000 } }
    case 'wait_reply':
      return { wait: { for: 'reply', until: facts.now + settings.timeoutSeconds * 1000 } }
  }
}

/** Shows a question and waits for its answer. People answer where the conversation is theirs: there it fails. */
function ask(settings: Question, turn: Turn): Performed {
  if (turn.assigned) {
    refuse(turn, 'assigned')
    return { branch: 'failed' }
  }
  if (!prompt(settings, turn, turn.inputNo)) return { branch: 'failed' }
  turn.tries = 0
  const { idleHours } = turn.facts.settings ?? { idleHours: 23 }
  const until = turn.facts.now + (settings.timeoutSeconds ?? idleHours * 3600) * 1000
  return { wait: { for: settings.kind === 'buttons' || settings.kind === 'list' ? 'choice' : 'answer', until } }
}

/** Stands in an answered form for a choice. */
const formToken = 'form'

/**
 * Sends a question.
 * @param inputNo number of the input by which it was first asked: its options name it, so that a tap on either copy counts.
 */
export function prompt(settings: Question, turn: Turn, inputNo: number): boolean {
  if (settings.kind === 'ask') return say(turn, settings.text)
  const text = fill(turn, settings.text, 1024)
  if (text.trim() === '') return refuse(turn, 'empty_text')
  if (settings.kind === 'form') {
    const { button, formId, screen } = settings
    const form = { button, formId, ...(screen && { screen }), token: `${inputNo}.${formToken}` }
    return act(turn, { type: 'send', content: { type: 'form', text, ...form } })
  }
  const choices = settings.kind === 'buttons' ? settings.choices : settings.rows
  const options = choices.map((choice) => ({ ...choice, id: `${inputNo}.${choice.id}` }))
  const button = settings.kind === 'list' && { button: settings.button }
  return act(turn, { type: 'send', content: { type: 'interactive', text, ...button, options } })
}

function sendMedia({ media, mediaId, caption, fileName }: SettingsOf<'send_media'>, turn: Turn): boolean {
  if (media === 'audio') return act(turn, { type: 'send', content: { type: 'audio', mediaId } })
  const text = caption === undefined ? '' : fill(turn, caption, 1024)
  const content = {
    type: media,
    mediaId,
    ...(text.trim() !== '' && { caption: text }),
    ...(media === 'document' && fileName && { fileName }),
  }
  return act(turn, { type: 'send', content })
}

function call(settings: SettingsOf<'http_call'>, turn: Turn): Performed {
  const request = fillCall(settings, turn)
  if (typeof request === 'string') {
    refuse(turn, request)
    return { branch: 'failed' }
  }
  return act(turn, { type: 'http_call', ...request }) ? { wait: { for: 'http' } } : { branch: 'failed' }
}
