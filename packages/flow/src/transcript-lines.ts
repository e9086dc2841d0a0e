import type { TranscriptLine } from '@parley/contracts/automation/flow-tests'
import type { FlowAction } from './actions.ts'
import type { TranscriptEntry } from './play-script.ts'

/** Tells a transcript in lines that people read, and by which tests compare: ids of options and numbers of inputs are left out. */
export const transcriptLines = (entries: readonly TranscriptEntry[]): TranscriptLine[] => entries.flatMap(lineOf)

/** Finds the first line at which two transcripts differ; `undefined` where they say the same. */
export function firstLineDifference(
  expected: readonly TranscriptLine[],
  found: readonly TranscriptLine[],
): { index: number; expected?: TranscriptLine; found?: TranscriptLine } | undefined {
  const length = Math.max(expected.length, found.length)
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [expected[index], found[index]]
    if (!one || !other || compared(one) !== compared(other))
      return { index, ...(one && { expected: one }), ...(other && { found: other }) }
  }
  return undefined
}

const compared = ({ by, text, options, about, refused }: TranscriptLine): string =>
  JSON.stringify([by, text, options ?? [], about?.kind, about?.id, refused])

function lineOf(entry: TranscriptEntry): TranscriptLine[] {
  switch (entry.by) {
    case 'customer':
      return [{ by: 'customer', text: entry.text || `[${entry.contentType}]` }]
    case 'event':
      return [{ by: 'event', text: entry.event }]
    case 'wait':
      return [{ by: 'wait', text: `${entry.for} ${entry.seconds}` }]
    case 'passed':
      return [{ by: 'passed', text: entry.because }]
    case 'end':
      return [{ by: 'end', text: [entry.end.outcome, entry.end.toBot].filter(Boolean).join(' ') }]
    case 'bot': {
      const said = actionLine(entry.action)
      if (!said) return []
      const { refused, nodeId } = entry
      return [{ by: 'bot', ...said, ...(refused !== undefined && { refused }), ...(nodeId !== null && { nodeId }) }]
    }
  }
}

function actionLine(action: FlowAction): Pick<TranscriptLine, 'text' | 'options' | 'about'> | undefined {
  switch (action.type) {
    case 'send': {
      const { content } = action
      if (content.type === 'text') return { text: content.text }
      if (content.type === 'form')
        return { text: content.text, options: [content.button], about: { kind: 'form', id: content.formId } }
      if (content.type === 'interactive')
        return {
          text: content.text,
          options: content.options.map(({ title, description }) => [title, description].filter(Boolean).join(': ')),
        }
      const caption = 'caption' in content && content.caption ? ` ${content.caption}` : ''
      return { text: `[${content.type}]${caption}` }
    }
    case 'send_template': {
      const values = Object.entries(action.variables)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => `${name}: ${value}`)
      return { text: ['Template', ...values].join(' '), about: { kind: 'template', id: action.templateId } }
    }
    case 'set_attribute':
      return { text: `${action.attribute} = ${action.value}` }
    case 'add_tag':
      return { text: `Tag ${action.tag}` }
    case 'remove_tag':
      return { text: `Tag ${action.tag} removed` }
    case 'assign':
      return action.to.kind === 'member'
        ? { text: 'Assigned', about: { kind: 'member', id: action.to.memberId } }
        : { text: 'Assigned to the queue' }
    case 'note':
      return { text: `Note: ${action.text}` }
    case 'close':
      return { text: 'Conversation closed' }
    case 'release':
      return action.attention ? { text: 'Waits for a person' } : undefined
    case 'http_call':
      return { text: `${action.method} ${action.path}${action.body ? ` ${action.body}` : ''}` }
  }
}
