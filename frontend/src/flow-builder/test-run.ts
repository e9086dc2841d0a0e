import type { DraftFlow } from '@parley/contracts/automation/flow'
import { type FlowScript, flowScriptSchema } from '@parley/contracts/automation/flow-tests'
import type { FlowAction, FlowEnd } from '@parley/flow/actions'
import {
  type Play,
  playLine,
  type Script,
  type ScriptLine,
  startPlay,
  type TranscriptEntry,
} from '@parley/flow/play-script'
import { compileFlow, type Program } from '@parley/flow/program'
import { defaultSettings, type Facts, type Person } from '@parley/flow/state'
import type { FlowKind } from './builder-context.ts'
import { durationText } from './labels.ts'
import { assigneeName, type Names } from './summary.ts'

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

/** Test run of a draft: the conversation so far, and a clock that only moves on command. The server takes the same steps. */
export interface TestRun extends Play {
  /** Everything that was tried so far; absent once the customer was changed on the way, which no script tells. */
  readonly recorded?: Pick<Script, 'at' | 'person' | 'lines'> | undefined
}

/** Fictitious customer with whom drafts are tried out. */
const customer: Person = { name: 'Asha Rao', phone: '+919876543210', tags: [], attributes: {} }

/** Facts of a bot and its workspace that a server has beside the flow. */
export type TestFacts = Pick<Facts, 'settings' | 'hours' | 'attributes'>

/**
 * A run before anything has happened.
 * @param person the customer of an earlier run, who is kept.
 */
export const startRun = (
  what: FlowKind,
  now: number,
  { person = customer, ...facts }: TestFacts & { person?: Person | undefined } = {},
): TestRun => ({
  ...startPlay({ at: now, person, lines: [], ...(what === 'bot' && { settings: defaultSettings }), ...facts }),
  recorded: { at: now, person, lines: [] },
})

const programs = new WeakMap<DraftFlow, Program>()

function programOf(flow: DraftFlow): Program {
  const known = programs.get(flow)
  if (known) return known
  const program = compileFlow(flow)
  programs.set(flow, program)
  return program
}

/** Plays one line on through the draft, as it is now. */
export const give = (flow: DraftFlow, run: TestRun, line: ScriptLine): TestRun => ({
  ...playLine(programOf(flow), run, line),
  ...(run.recorded && { recorded: { ...run.recorded, lines: [...run.recorded.lines, line] } }),
})

/** Goes on with another customer. */
export const withPerson = (run: TestRun, person: Person): TestRun => ({
  ...run,
  person,
  recorded: run.recorded?.lines.length === 0 ? { ...run.recorded, person } : undefined,
})

/** The conversation of the panel, in the form in which tests are kept. */
export const scriptOf = ({ at, person, lines }: NonNullable<TestRun['recorded']>): FlowScript =>
  flowScriptSchema.parse({ at, person, lines })

/** A message of text. Several lines are fragments, which customers send one after the other. */
export const written = (text: string): ScriptLine => ({
  type: 'message',
  parts: text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
    .map((line) => ({ contentType: 'text', text: line.trim() })),
})

/** Returns how long the flow still waits by the clock, in milliseconds; 0 if it does not. */
export const waitMs = ({ state, now }: TestRun): number => Math.max(0, (state.wait?.until ?? now) - now)

/** The conversation as the panel shows it. @param names of what actions refer to by id. */
export const entriesOf = ({ entries }: TestRun, names: Names): TestEntry[] =>
  entries.flatMap((entry, id) => {
    const shown = entryOf(entry, names)
    return shown ? [{ id, ...shown }] : []
  })

const note = (text: string) => ({ by: 'note' as const, text })

function entryOf(entry: TranscriptEntry, names: Names): Omit<TestEntry, 'id'> | undefined {
  switch (entry.by) {
    case 'customer':
      return { by: 'customer', text: entry.text || `[${entry.contentType}]` }
    case 'event':
      return note(entry.event === 'handed_over' ? 'Given to the bot' : `Event ${entry.event}`)
    case 'wait':
      return note(`Waits ${durationText(entry.seconds)}`)
    case 'passed':
      return note(
        entry.because === 'no_trigger'
          ? 'No trigger matches that.'
          : 'The bot is waiting: this goes to other bots, or to people.',
      )
    case 'end':
      return endOf(entry.end)
    case 'bot': {
      const shown = actionOf(entry.action, names)
      if (entry.refused === undefined) return shown
      return { by: 'problem', text: `Refused (${entry.refused}): ${shown?.text ?? 'Release'}` }
    }
  }
}

const endings = {
  completed: 'The conversation with the bot is over.',
  handed_over: 'The conversation with the bot is over: a person answers.',
  abandoned: 'No answer in time: the conversation with the bot is over.',
} as const

function endOf({ outcome, message, toBot }: FlowEnd): Omit<TestEntry, 'id'> {
  if (toBot !== undefined) return note('The other bot takes over.')
  if (outcome === 'failed' || outcome === 'loop')
    return { by: 'problem', text: `The flow stopped. ${message ?? ''}`.trim() }
  return note(endings[outcome])
}

function actionOf(action: FlowAction, { templates, members }: Names): Omit<TestEntry, 'id'> | undefined {
  switch (action.type) {
    case 'send': {
      const { content } = action
      if (content.type === 'text') return { by: 'bot', text: content.text }
      if (content.type === 'form')
        return { by: 'bot', text: content.text, choices: [{ id: content.token, title: content.button }] }
      if (content.type === 'interactive') return { by: 'bot', text: content.text, choices: content.options }
      const caption = 'caption' in content && content.caption ? ` ${content.caption}` : ''
      return { by: 'bot', text: `[${content.type}]${caption}` }
    }
    case 'send_template':
      return note(`Template ${templates.find(({ id }) => id === action.templateId)?.name ?? action.templateId} sent`)
    case 'set_attribute':
      return note(`${action.attribute} is now “${action.value}”`)
    case 'add_tag':
      return note(`Tagged ${action.tag}`)
    case 'remove_tag':
      return note(`Tag ${action.tag} removed`)
    case 'assign':
      return note(`Assigned to ${assigneeName(action.to, members)}`)
    case 'note':
      return note(`Note for the team: ${action.text}`)
    case 'close':
      return note('Conversation closed')
    case 'release':
      return action.attention ? note('The conversation waits for a person') : undefined
    case 'http_call':
      return note(`${action.method} ${action.path}${action.body ? ` ${action.body}` : ''}`)
  }
}
