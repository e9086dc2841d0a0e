import type { DraftFlow } from '@parley/contracts/automation/flow'
import { step } from '@parley/flow/interpreter'
import { type EndReason, type FlowEffect, type FlowInput, type FlowState, idleState } from '@parley/flow/state'
import { durationText } from './labels.ts'

interface TestEntry {
  readonly id: number
  readonly by: 'customer' | 'bot' | 'note' | 'problem'
  readonly text: string
  readonly choices?: readonly {
    readonly id: string
    readonly title: string
    readonly description?: string | undefined
  }[]
}

/** Test run of a draft: the conversation so far, and a clock that only moves on command. */
export interface TestRun {
  readonly state: FlowState
  /** Milliseconds since 1970. */
  readonly now: number
  readonly entries: readonly TestEntry[]
  /** The nodes that the last input went through. */
  readonly visited: readonly string[]
}

/** Fictitious customer with whom drafts are tried out. */
const customer = { name: 'Asha Rao', phone: '+919876543210', tags: [], attributes: {} }

export const startRun = (now: number): TestRun => ({ state: idleState(customer), now, entries: [], visited: [] })

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never

/** Gives the draft one input at the run's own time and adds what came of it to the conversation. */
export function give(flow: DraftFlow, run: TestRun, input: WithoutTime<FlowInput>): TestRun {
  const { state, effects, visited } = step(flow, run.state, { ...input, at: run.now })
  const entries = [...run.entries]
  const add = (entry: Omit<TestEntry, 'id'>) => entries.push({ ...entry, id: entries.length })
  if (input.type === 'message') add({ by: 'customer', text: input.text })
  if (input.type === 'event') add({ by: 'note', text: `Event ${input.event}` })
  for (const effect of effects) add(entryOf(effect, run.now))
  const unheard = effects.length === 0 && visited.length === 0 && run.state.status !== 'waiting'
  if (unheard && input.type !== 'time') add({ by: 'note', text: 'No trigger matches that.' })
  return { state, now: run.now, entries, visited: visited.length > 0 ? visited : run.visited }
}

/** Moves the clock, and tells the flow. */
export const passTime = (flow: DraftFlow, run: TestRun, ms: number): TestRun =>
  give(flow, { ...run, now: run.now + ms }, { type: 'time' })

/** Returns how long the flow still waits by the clock, in milliseconds; 0 if it does not. */
export const waitMs = ({ state, now }: TestRun): number =>
  state.wait && 'until' in state.wait ? Math.max(0, state.wait.until - now) : 0

const endings: Record<EndReason, string> = {
  end: 'The conversation with the bot is over.',
  no_target: 'Nothing follows: the conversation with the bot is over.',
  go_to_bot: 'The other bot takes over.',
  problem: 'The flow stopped.',
  loop: 'The flow stopped.',
}

function entryOf(effect: FlowEffect, now: number): Omit<TestEntry, 'id'> {
  const note = (text: string) => ({ by: 'note' as const, text })
  switch (effect.type) {
    case 'send_text':
      return { by: 'bot', text: effect.text }
    case 'send_buttons':
      return { by: 'bot', text: effect.text, choices: effect.choices }
    case 'send_list':
      return { by: 'bot', text: effect.text, choices: effect.rows }
    case 'send_template':
      return note(`Template ${effect.templateId} sent`)
    case 'set_attribute':
      return note(`${effect.attribute} is now “${effect.value}”`)
    case 'add_tag':
      return note(`Tagged ${effect.tag}`)
    case 'assign':
      return note(`Assigned to ${effect.to}`)
    case 'http_call':
      return note(`${effect.method} ${effect.url} (a test makes no real calls: choose the response)`)
    case 'go_to_bot':
      return note('Goes to another bot')
    case 'wake':
      return note(`Waits ${durationText(Math.round((effect.at - now) / 1000))}`)
    case 'ended':
      return effect.reason === 'problem' || effect.reason === 'loop'
        ? { by: 'problem', text: `${endings[effect.reason]} ${effect.message ?? ''}`.trim() }
        : note(endings[effect.reason])
  }
}
