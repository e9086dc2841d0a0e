import {
  type DraftFlow,
  draftFlowSchema,
  flowFormat,
  type NodeSettings,
  nodeTypeOf,
} from '@parley/contracts/automation/flow'
import type { FlowInput } from './inputs.ts'
import { type Play, playLine, type ScriptLine, startPlay, type TranscriptEntry } from './play-script.ts'
import { compileFlow } from './program.ts'
import { defaultSettings, type Facts, type FlowSettings, type Person } from './state.ts'

export const monday10 = Date.parse('2026-03-09T10:00:00.000Z')
export const asha: Person = {
  name: 'Asha Rao',
  phone: '+919876543210',
  tags: ['vip'],
  attributes: { city: 'Pune', age: '31', 'Order date': '2026-03-01' },
}
export const facts: Facts = { now: monday10, person: asha, settings: defaultSettings }

const part = (text: string, contentType = 'text') => ({ contentType, text })
/** Texts of the customer, each part a message of its own. */
export const write = (...texts: string[]): Extract<ScriptLine, { type: 'message' }> => ({
  type: 'message',
  parts: texts.map((text) => part(text)),
})
export const picture: ScriptLine = { type: 'message', parts: [part('', 'image')] }
export const located: ScriptLine = {
  type: 'message',
  parts: [{ ...part('', 'location'), place: { latitude: 18.52, longitude: 73.85 } }],
}
/** A form that the customer has filled in. */
export const fillIn = (answers: Readonly<Record<string, string>>): Extract<ScriptLine, { type: 'message' }> => ({
  type: 'message',
  parts: [
    {
      ...part('Sent', 'interactive'),
      answers: Object.entries(answers).map(([question, answer]) => ({ question, answer })),
    },
  ],
})
export const tap = (title: string): ScriptLine => ({ type: 'tap', title })
export const wait = (seconds: number): ScriptLine => ({ type: 'wait', seconds })
export const refuse = (
  action: Extract<ScriptLine, { type: 'refuse' }>['action'],
  code = 'window_closed',
): ScriptLine => ({
  type: 'refuse',
  action,
  code,
})
export const said = (text: string, more: Partial<Extract<FlowInput, { type: 'message' }>> = {}): FlowInput => ({
  ...write(text),
  ...more,
})

/** Builds a flow of nodes by id and edges as `source.branch>target`. */
export function draw(
  nodes: Readonly<Record<string, { kind: string; [setting: string]: unknown }>>,
  edges: readonly string[],
) {
  return draftFlowSchema.parse({
    format: flowFormat,
    nodes: Object.entries(nodes).map(([id, settings]) => ({
      id,
      type: nodeTypeOf(settings.kind as NodeSettings['kind']),
      label: '',
      description: '',
      position: { x: 0, y: 0 },
      settings,
    })),
    edges: edges.map((text, index) => {
      const [, source, branch, target] = /^(.+)\.(.+)>(.+)$/.exec(text) ?? []
      return { id: `e${index}`, source, branch, target }
    }),
  })
}

/** Builds a flow from a trigger to one node, whose every branch leads to a message that names the branch. */
export function flowOf(settings: NodeSettings, branches: readonly string[] = ['next']): DraftFlow {
  const isTrigger = nodeTypeOf(settings.kind) === 'trigger'
  return draw(
    {
      ...(!isTrigger && { start: { kind: 'any_message' } }),
      here: settings,
      ...Object.fromEntries(branches.map((branch) => [`after-${branch}`, { kind: 'send_text', text: `by ${branch}` }])),
    },
    [...(isTrigger ? [] : ['start.next>here']), ...branches.map((branch) => `here.${branch}>after-${branch}`)],
  )
}

interface Setting {
  settings?: FlowSettings | undefined
  hours?: Facts['hours']
  attributes?: Facts['attributes']
  person?: Person
}

/** Plays lines one after the other. */
export function play(flow: DraftFlow, lines: readonly ScriptLine[], { person = asha, ...more }: Setting = {}): Play {
  const program = compileFlow(flow)
  return lines.reduce(
    (before, line) => playLine(program, before, line),
    startPlay({ at: monday10, person, lines: [], settings: defaultSettings, ...more }),
  )
}

/** Describes actions and other entries in a word or two each: `say by next`, `release resolved`, `end completed`. */
export const linesOf = ({ entries }: Play): string[] =>
  entries.filter(({ by }) => by !== 'customer' && by !== 'event').map((entry) => wordsOf(entry))

function wordsOf(entry: TranscriptEntry): string {
  switch (entry.by) {
    case 'customer':
      return entry.text
    case 'event':
      return entry.event
    case 'wait':
      return `wait ${entry.seconds}`
    case 'passed':
      return `passed ${entry.because}`
    case 'end':
      return `end ${entry.end.outcome}${entry.end.toBot === undefined ? '' : ` ${entry.end.toBot}`}`
    case 'bot': {
      const refused = entry.refused === undefined ? '' : ` !${entry.refused}`
      return `${actionWords(entry.action)}${refused}`
    }
  }
}

function actionWords(action: Extract<TranscriptEntry, { by: 'bot' }>['action']): string {
  switch (action.type) {
    case 'send': {
      const { content } = action
      if (content.type === 'text') return `say ${content.text}`
      if (content.type === 'form') return `form ${content.formId} ${content.text}`
      if (content.type !== 'interactive') return `send ${content.type}`
      return `${content.button === undefined ? 'buttons' : 'list'} ${content.options.map(({ title }) => title).join()}`
    }
    case 'set_attribute':
      return `set ${action.attribute}=${action.value}`
    case 'add_tag':
    case 'remove_tag':
      return `${action.type} ${action.tag}`
    case 'assign':
      return `assign ${action.to.kind === 'queue' ? 'queue' : action.to.memberId}`
    case 'release':
      return ['release', action.resolved && 'resolved', action.attention && 'attention'].filter(Boolean).join(' ')
    case 'http_call':
      return `${action.method} ${action.path}`
    case 'note':
      return `note ${action.text.split('\n').join(' / ')}`
    case 'send_template':
    case 'close':
      return action.type
  }
}

export const hours = (to = '18:00', from = '09:00'): Extract<NodeSettings, { kind: 'business_hours' }> => ({
  kind: 'business_hours',
  hours: {
    use: 'own',
    timeZone: 'Asia/Kolkata',
    spans: [1, 2, 3, 4, 5].map((day) => ({ day, from, to })),
    closedOn: [],
  },
})
