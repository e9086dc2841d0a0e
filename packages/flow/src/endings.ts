import type { Assignee } from '@parley/contracts/automation/bot-settings'
import { isOpen } from '@parley/contracts/inbox/open-time'
import { type FlowEnd, isSending } from './actions.ts'
import { act, fill, type Turn } from './turn.ts'

const maxNoteLength = 2000

/** Sends one of the bot's own texts. A refusal changes nothing: the conversation goes to people anyway. */
function tell(turn: Turn, text: string | undefined): void {
  const filled = text === undefined ? '' : fill(turn, text, 1024)
  if (filled.trim() !== '') act(turn, { type: 'send', content: { type: 'text', text: filled } })
}

/** Text of a hand-over at this time. */
function handOverText({ facts: { settings, hours, now } }: Turn): string | undefined {
  if (!settings) return undefined
  const isClosed = hours !== undefined && !isOpen(hours, new Date(now))
  return isClosed && settings.closedText ? settings.closedText : settings.handOverText
}

/** Leaves a note for the person who takes over: the reason, and the values that the session has collected. */
function leaveNote(turn: Turn, reason: string): void {
  const known = Object.entries(turn.session).map(([name, value]) => `${name}: ${value}`)
  const last = turn.lastAnswer === '' ? [] : [`Last message: ${turn.lastAnswer}`]
  const text = [reason, ...last, ...known].filter((line) => line.trim() !== '').join('\n')
  if (text !== '') act(turn, { type: 'note', text: text.slice(0, maxNoteLength) })
}

/** Gives the conversation to people as drawn; the customer is told, unless a message of this step does so. */
export function giveToPeople(turn: Turn, to: Assignee, note = ''): boolean {
  if (!turn.assigned && !turn.actions.some(({ type }) => type === 'send')) tell(turn, handOverText(turn))
  if (!act(turn, { type: 'assign', to })) return false
  leaveNote(turn, note)
  turn.assigned = true
  return true
}

/** Gives up the conversation: the customer is told, and waits for a person. */
export function handOver(turn: Turn, reason: string): FlowEnd {
  if (!turn.assigned && turn.facts.owns !== false) {
    tell(turn, handOverText(turn))
    leaveNote(turn, reason)
    act(turn, { type: 'release', attention: true })
  }
  return { outcome: 'handed_over' }
}

/** Ends a run that cannot continue. One that has given the conversation to people, or never had it, ends in silence. */
export function fail(turn: Turn, message: string, outcome: 'failed' | 'loop' = 'failed'): FlowEnd {
  const { settings } = turn.facts
  const code = turn.refusal
  if (!turn.assigned && settings) {
    tell(turn, settings.failureText)
    leaveNote(turn, message)
    if (settings.failureTo.kind !== 'member' || !act(turn, { type: 'assign', to: settings.failureTo }))
      act(turn, { type: 'release', attention: true })
  } else if (!turn.assigned && turn.facts.owns !== false) act(turn, { type: 'release', attention: true })
  return { outcome, message, ...(code !== undefined && { code }) }
}

/**
 * Releases the conversation of a run that ends as drawn. It is resolved where this step has answered; the message of one that
 * has not stays unread.
 */
export function letGo(turn: Turn, end: FlowEnd): void {
  if (
    turn.assigned ||
    turn.closed ||
    turn.facts.owns === false ||
    end.toBot !== undefined ||
    (end.outcome !== 'completed' && end.outcome !== 'abandoned')
  )
    return
  const isResolved = end.outcome === 'completed' && turn.actions.some(isSending)
  act(turn, { type: 'release', ...(isResolved && { resolved: true }) })
}
