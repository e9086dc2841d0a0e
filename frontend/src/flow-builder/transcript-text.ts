import type { TranscriptLine } from '@parley/contracts/automation/flow-tests'
import { durationText } from './labels.ts'
import type { Names } from './summary.ts'

const ends: Readonly<Record<string, string>> = {
  completed: 'The conversation with the bot is over',
  handed_over: 'A person answers from here',
  abandoned: 'No answer in time: it ends',
  failed: 'The flow stops',
  loop: 'The flow stops: it goes in circles',
}

/** A line of a transcript in words. */
export function lineText(line: TranscriptLine | undefined, { templates, members, forms = [] }: Names): string {
  if (!line) return 'Nothing more'
  const { by, text, options, about, refused } = line
  if (by === 'wait') return `Waits ${durationText(Number(text.split(' ')[1] ?? 0))}`
  if (by === 'end') return ends[text] ?? 'Another bot takes over'
  if (by === 'passed') return text === 'no_trigger' ? 'No trigger matches' : 'It waits for something else'
  const name =
    about && { template: templates, member: members, form: forms }[about.kind].find(({ id }) => id === about.id)?.name
  const whole = [text, about && (name ?? about.id), ...(options ?? [])].filter(Boolean).join(' · ')
  return `${by === 'customer' ? 'Customer: ' : ''}${whole}${refused === undefined ? '' : ` (refused: ${refused})`}`
}
